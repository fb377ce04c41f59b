//! test = "kernel-abi"
//! isa = "RV64GC"
//! functions = ["muxcl.kernel.k"]
// The entry point of a HAL device: stack for local memory (128 static bytes and the arguments') and scratch, the host's structures filled.
kernel void k(global int *out, local int *a, char c, local float4 *b, float4 v) {
  local int own[3];
  size_t l = get_local_id(0);
  own[l % 3] = c;
  a[l] = out[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[l ^ 1] + own[0] + (int)v.x + (int)b[0].x;
}
//---- expected ----
// ; Function Attrs: convergent nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #3 {
// entry:
//   %sched.host = alloca [15 x i64], align 8
//   %extra.host = alloca [11 x i64], align 8
//   %0 = getelementptr inbounds i8, ptr %sched, i64 72
//   %1 = load i32, ptr %0, align 4, !invariant.load !5
//   %2 = zext i32 %1 to i64
//   %3 = getelementptr inbounds i8, ptr %sched, i64 76
//   %4 = load i32, ptr %3, align 4, !invariant.load !5
//   %5 = zext i32 %4 to i64
//   %6 = getelementptr inbounds i8, ptr %sched, i64 80
//   %7 = load i32, ptr %6, align 4, !invariant.load !5
//   %8 = zext i32 %7 to i64
//   %9 = mul nuw i64 %2, %5
//   %10 = mul nuw i64 %9, %8
//   %11 = getelementptr inbounds i8, ptr %packed, i64 8
//   %12 = load i64, ptr %11, align 8, !invariant.load !5
//   %13 = add i64 %12, 127
//   %14 = and i64 %13, -128
//   %15 = add i64 128, %14
//   %16 = getelementptr inbounds i8, ptr %packed, i64 24
//   %17 = load i64, ptr %16, align 8, !invariant.load !5
//   %18 = add i64 %17, 127
//   %19 = and i64 %18, -128
//   %20 = add i64 %15, %19
//   %local = alloca i8, i64 %20, align 128
//   %21 = call ptr @llvm.stacksave.p0()
//   %22 = ptrtoint ptr %21 to i64
//   %23 = icmp ult i64 %22, 1048576
//   %24 = select i1 %23, i64 %22, i64 1048576
//   %25 = sub i64 %22, %24
//   %26 = getelementptr inbounds i8, ptr %packed, i64 64
//   %27 = load i64, ptr %26, align 8, !invariant.load !5
//   store i64 %27, ptr %extra.host, align 8
//   %28 = getelementptr inbounds i8, ptr %packed, i64 72
//   %29 = load i64, ptr %28, align 8, !invariant.load !5
//   %30 = getelementptr inbounds i8, ptr %extra.host, i64 8
//   store i64 %29, ptr %30, align 8
//   %31 = getelementptr inbounds i8, ptr %packed, i64 80
//   %32 = load i64, ptr %31, align 8, !invariant.load !5
//   %33 = getelementptr inbounds i8, ptr %extra.host, i64 16
//   store i64 %32, ptr %33, align 8
//   %34 = ptrtoint ptr %local to i64
//   %35 = getelementptr inbounds i8, ptr %extra.host, i64 24
//   store i64 %34, ptr %35, align 8
//   %36 = getelementptr inbounds i8, ptr %extra.host, i64 32
//   store i64 %20, ptr %36, align 8
//   %37 = getelementptr inbounds i8, ptr %extra.host, i64 40
//   store i64 0, ptr %37, align 8
//   %38 = getelementptr inbounds i8, ptr %extra.host, i64 48
//   store i64 0, ptr %38, align 8
//   %39 = getelementptr inbounds i8, ptr %extra.host, i64 56
//   store i64 %25, ptr %39, align 8
//   %40 = getelementptr inbounds i8, ptr %extra.host, i64 64
//   store i64 %22, ptr %40, align 8
//   %41 = getelementptr inbounds i8, ptr %packed, i64 88
//   %42 = load i64, ptr %41, align 8, !invariant.load !5
//   %43 = getelementptr inbounds i8, ptr %extra.host, i64 72
//   store i64 %42, ptr %43, align 8
//   %44 = load i64, ptr %sched, align 8, !invariant.load !5
//   store i64 %44, ptr %sched.host, align 8
//   %45 = getelementptr inbounds i8, ptr %sched, i64 8
//   %46 = load i64, ptr %45, align 8, !invariant.load !5
//   %47 = getelementptr inbounds i8, ptr %sched.host, i64 8
//   store i64 %46, ptr %47, align 8
//   %48 = getelementptr inbounds i8, ptr %sched, i64 16
//   %49 = load i64, ptr %48, align 8, !invariant.load !5
//   %50 = getelementptr inbounds i8, ptr %sched.host, i64 16
//   store i64 %49, ptr %50, align 8
//   %51 = getelementptr inbounds i8, ptr %sched, i64 24
//   %52 = load i64, ptr %51, align 8, !invariant.load !5
//   %53 = getelementptr inbounds i8, ptr %sched.host, i64 24
//   store i64 %52, ptr %53, align 8
//   %54 = getelementptr inbounds i8, ptr %sched, i64 32
//   %55 = load i64, ptr %54, align 8, !invariant.load !5
//   %56 = getelementptr inbounds i8, ptr %sched.host, i64 32
//   store i64 %55, ptr %56, align 8
//   %57 = getelementptr inbounds i8, ptr %sched, i64 40
//   %58 = load i64, ptr %57, align 8, !invariant.load !5
//   %59 = getelementptr inbounds i8, ptr %sched.host, i64 40
//   store i64 %58, ptr %59, align 8
//   %60 = getelementptr inbounds i8, ptr %sched, i64 48
//   %61 = load i64, ptr %60, align 8, !invariant.load !5
//   %62 = getelementptr inbounds i8, ptr %sched.host, i64 48
//   store i64 %61, ptr %62, align 8
//   %63 = getelementptr inbounds i8, ptr %sched, i64 56
//   %64 = load i64, ptr %63, align 8, !invariant.load !5
//   %65 = getelementptr inbounds i8, ptr %sched.host, i64 56
//   store i64 %64, ptr %65, align 8
//   %66 = getelementptr inbounds i8, ptr %sched, i64 64
//   %67 = load i64, ptr %66, align 8, !invariant.load !5
//   %68 = getelementptr inbounds i8, ptr %sched.host, i64 64
//   store i64 %67, ptr %68, align 8
//   %69 = getelementptr inbounds i8, ptr %sched, i64 88
//   %70 = load i64, ptr %69, align 8, !invariant.load !5
//   %71 = getelementptr inbounds i8, ptr %sched.host, i64 88
//   store i64 %70, ptr %71, align 8
//   %72 = getelementptr inbounds i8, ptr %sched, i64 96
//   %73 = load i64, ptr %72, align 8, !invariant.load !5
//   %74 = getelementptr inbounds i8, ptr %sched.host, i64 96
//   store i64 %73, ptr %74, align 8
//   %75 = getelementptr inbounds i8, ptr %sched, i64 104
//   %76 = load i64, ptr %75, align 8, !invariant.load !5
//   %77 = getelementptr inbounds i8, ptr %sched.host, i64 104
//   store i64 %76, ptr %77, align 8
//   %78 = trunc i64 %2 to i32
//   %79 = getelementptr inbounds i8, ptr %sched.host, i64 72
//   store i32 %78, ptr %79, align 8
//   %80 = trunc i64 %5 to i32
//   %81 = getelementptr inbounds i8, ptr %sched.host, i64 76
//   store i32 %80, ptr %81, align 4
//   %82 = trunc i64 %8 to i32
//   %83 = getelementptr inbounds i8, ptr %sched.host, i64 80
//   store i32 %82, ptr %83, align 8
//   %84 = getelementptr inbounds i8, ptr %sched, i64 84
//   %85 = load i32, ptr %84, align 4, !invariant.load !5
//   %86 = getelementptr inbounds i8, ptr %sched.host, i64 84
//   store i32 %85, ptr %86, align 4
//   %87 = ptrtoint ptr %extra.host to i64
//   %88 = getelementptr inbounds i8, ptr %sched.host, i64 112
//   store i64 %87, ptr %88, align 8
//   call void @muxcl.kernel.k.groups(ptr %packed, ptr %sched.host)
//   ret void
// }
//

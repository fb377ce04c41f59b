//! test = "kernel-abi"
//! isa = "RV64GC"
//! functions = ["muxcl.kernel.k"]
// The entry point of a HAL device takes local memory (128 static bytes, then the arguments') and
// scratch memory from the stack, and fills the host's structures.
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
//   %0 = getelementptr inbounds i8, ptr %sched, i64 76
//   %1 = load i32, ptr %0, align 4, !invariant.load !5
//   %2 = icmp eq i32 %1, 0
//   %3 = select i1 %2, i64 8, i64 4
//   %4 = select i1 %2, i64 104, i64 88
//   %5 = getelementptr inbounds i8, ptr %sched, i64 72
//   %6 = load i32, ptr %5, align 4, !invariant.load !5
//   %7 = zext i32 %6 to i64
//   %8 = mul nuw i64 %3, 1
//   %9 = getelementptr inbounds i8, ptr %sched, i64 %8
//   %10 = getelementptr inbounds i8, ptr %9, i64 72
//   %11 = load i32, ptr %10, align 4, !invariant.load !5
//   %12 = zext i32 %11 to i64
//   %13 = mul nuw i64 %3, 2
//   %14 = getelementptr inbounds i8, ptr %sched, i64 %13
//   %15 = getelementptr inbounds i8, ptr %14, i64 72
//   %16 = load i32, ptr %15, align 4, !invariant.load !5
//   %17 = zext i32 %16 to i64
//   %18 = mul nuw i64 %7, %12
//   %19 = mul nuw i64 %18, %17
//   %20 = getelementptr inbounds i8, ptr %packed, i64 8
//   %21 = load i64, ptr %20, align 8, !invariant.load !5
//   %22 = add i64 %21, 127
//   %23 = and i64 %22, -128
//   %24 = add i64 128, %23
//   %25 = getelementptr inbounds i8, ptr %packed, i64 24
//   %26 = load i64, ptr %25, align 8, !invariant.load !5
//   %27 = add i64 %26, 127
//   %28 = and i64 %27, -128
//   %29 = add i64 %24, %28
//   %local = alloca i8, i64 %29, align 128
//   %30 = call ptr @llvm.stacksave.p0()
//   %31 = ptrtoint ptr %30 to i64
//   %32 = icmp ult i64 %31, 1048576
//   %33 = select i1 %32, i64 %31, i64 1048576
//   %34 = sub i64 %31, %33
//   %35 = getelementptr inbounds i8, ptr %packed, i64 64
//   %36 = load i64, ptr %35, align 8, !invariant.load !5
//   store i64 %36, ptr %extra.host, align 8
//   %37 = getelementptr inbounds i8, ptr %packed, i64 72
//   %38 = load i64, ptr %37, align 8, !invariant.load !5
//   %39 = getelementptr inbounds i8, ptr %extra.host, i64 8
//   store i64 %38, ptr %39, align 8
//   %40 = getelementptr inbounds i8, ptr %packed, i64 80
//   %41 = load i64, ptr %40, align 8, !invariant.load !5
//   %42 = getelementptr inbounds i8, ptr %extra.host, i64 16
//   store i64 %41, ptr %42, align 8
//   %43 = ptrtoint ptr %local to i64
//   %44 = getelementptr inbounds i8, ptr %extra.host, i64 24
//   store i64 %43, ptr %44, align 8
//   %45 = getelementptr inbounds i8, ptr %extra.host, i64 32
//   store i64 %29, ptr %45, align 8
//   %46 = getelementptr inbounds i8, ptr %extra.host, i64 40
//   store i64 0, ptr %46, align 8
//   %47 = getelementptr inbounds i8, ptr %extra.host, i64 48
//   store i64 0, ptr %47, align 8
//   %48 = getelementptr inbounds i8, ptr %extra.host, i64 56
//   store i64 %34, ptr %48, align 8
//   %49 = getelementptr inbounds i8, ptr %extra.host, i64 64
//   store i64 %31, ptr %49, align 8
//   %50 = getelementptr inbounds i8, ptr %packed, i64 88
//   %51 = load i64, ptr %50, align 8, !invariant.load !5
//   %52 = getelementptr inbounds i8, ptr %extra.host, i64 72
//   store i64 %51, ptr %52, align 8
//   %53 = load i64, ptr %sched, align 8, !invariant.load !5
//   store i64 %53, ptr %sched.host, align 8
//   %54 = getelementptr inbounds i8, ptr %sched, i64 8
//   %55 = load i64, ptr %54, align 8, !invariant.load !5
//   %56 = getelementptr inbounds i8, ptr %sched.host, i64 8
//   store i64 %55, ptr %56, align 8
//   %57 = getelementptr inbounds i8, ptr %sched, i64 16
//   %58 = load i64, ptr %57, align 8, !invariant.load !5
//   %59 = getelementptr inbounds i8, ptr %sched.host, i64 16
//   store i64 %58, ptr %59, align 8
//   %60 = getelementptr inbounds i8, ptr %sched, i64 24
//   %61 = load i64, ptr %60, align 8, !invariant.load !5
//   %62 = getelementptr inbounds i8, ptr %sched.host, i64 24
//   store i64 %61, ptr %62, align 8
//   %63 = getelementptr inbounds i8, ptr %sched, i64 24
//   %64 = getelementptr inbounds i8, ptr %63, i64 8
//   %65 = load i64, ptr %64, align 8, !invariant.load !5
//   %66 = getelementptr inbounds i8, ptr %sched.host, i64 32
//   store i64 %65, ptr %66, align 8
//   %67 = getelementptr inbounds i8, ptr %sched, i64 24
//   %68 = getelementptr inbounds i8, ptr %67, i64 16
//   %69 = load i64, ptr %68, align 8, !invariant.load !5
//   %70 = getelementptr inbounds i8, ptr %sched.host, i64 40
//   store i64 %69, ptr %70, align 8
//   %71 = getelementptr inbounds i8, ptr %sched, i64 48
//   %72 = load i64, ptr %71, align 8, !invariant.load !5
//   %73 = getelementptr inbounds i8, ptr %sched.host, i64 48
//   store i64 %72, ptr %73, align 8
//   %74 = getelementptr inbounds i8, ptr %sched, i64 48
//   %75 = getelementptr inbounds i8, ptr %74, i64 8
//   %76 = load i64, ptr %75, align 8, !invariant.load !5
//   %77 = getelementptr inbounds i8, ptr %sched.host, i64 56
//   store i64 %76, ptr %77, align 8
//   %78 = getelementptr inbounds i8, ptr %sched, i64 48
//   %79 = getelementptr inbounds i8, ptr %78, i64 16
//   %80 = load i64, ptr %79, align 8, !invariant.load !5
//   %81 = getelementptr inbounds i8, ptr %sched.host, i64 64
//   store i64 %80, ptr %81, align 8
//   %82 = getelementptr inbounds i8, ptr %sched, i64 %4
//   %83 = load i64, ptr %82, align 8, !invariant.load !5
//   %84 = getelementptr inbounds i8, ptr %sched.host, i64 88
//   store i64 %83, ptr %84, align 8
//   %85 = getelementptr inbounds i8, ptr %sched, i64 %4
//   %86 = getelementptr inbounds i8, ptr %85, i64 8
//   %87 = load i64, ptr %86, align 8, !invariant.load !5
//   %88 = getelementptr inbounds i8, ptr %sched.host, i64 96
//   store i64 %87, ptr %88, align 8
//   %89 = getelementptr inbounds i8, ptr %sched, i64 %4
//   %90 = getelementptr inbounds i8, ptr %89, i64 16
//   %91 = load i64, ptr %90, align 8, !invariant.load !5
//   %92 = getelementptr inbounds i8, ptr %sched.host, i64 104
//   store i64 %91, ptr %92, align 8
//   %93 = trunc i64 %7 to i32
//   %94 = getelementptr inbounds i8, ptr %sched.host, i64 72
//   store i32 %93, ptr %94, align 8
//   %95 = trunc i64 %12 to i32
//   %96 = getelementptr inbounds i8, ptr %sched.host, i64 76
//   store i32 %95, ptr %96, align 4
//   %97 = trunc i64 %17 to i32
//   %98 = getelementptr inbounds i8, ptr %sched.host, i64 80
//   store i32 %97, ptr %98, align 8
//   %99 = mul nuw i64 %3, 3
//   %100 = getelementptr inbounds i8, ptr %sched, i64 %99
//   %101 = getelementptr inbounds i8, ptr %100, i64 72
//   %102 = load i32, ptr %101, align 4, !invariant.load !5
//   %103 = getelementptr inbounds i8, ptr %sched.host, i64 84
//   store i32 %102, ptr %103, align 4
//   %104 = ptrtoint ptr %extra.host to i64
//   %105 = getelementptr inbounds i8, ptr %sched.host, i64 112
//   store i64 %104, ptr %105, align 8
//   call void @muxcl.kernel.k.groups(ptr %packed, ptr %sched.host)
//   ret void
// }
//

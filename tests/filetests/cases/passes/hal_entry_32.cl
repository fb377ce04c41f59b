//! test = "kernel-abi"
//! isa = "RV32GC"
//! local = [16]
//! functions = ["muxcl.kernel.k"]
// The same with addresses of 32 bits and a known local size: static frames, words of the schedule extended.
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
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 4 %packed, ptr noalias noundef nonnull readonly align 4 %sched) #3 {
// entry:
//   %sched.host = alloca [15 x i64], align 8
//   %extra.host = alloca [9 x i64], align 8
//   %0 = getelementptr inbounds i8, ptr %packed, i64 4
//   %1 = load i32, ptr %0, align 4, !invariant.load !5
//   %2 = zext i32 %1 to i64
//   %3 = add i64 %2, 127
//   %4 = and i64 %3, -128
//   %5 = add i64 128, %4
//   %6 = getelementptr inbounds i8, ptr %packed, i64 12
//   %7 = load i32, ptr %6, align 4, !invariant.load !5
//   %8 = zext i32 %7 to i64
//   %9 = add i64 %8, 127
//   %10 = and i64 %9, -128
//   %11 = add i64 %5, %10
//   %local = alloca i8, i64 %11, align 128
//   %12 = call ptr @llvm.stacksave.p0()
//   %13 = ptrtoint ptr %12 to i64
//   %14 = icmp ult i64 %13, 1048576
//   %15 = select i1 %14, i64 %13, i64 1048576
//   %16 = sub i64 %13, %15
//   %17 = getelementptr inbounds i8, ptr %packed, i64 32
//   %18 = load i64, ptr %17, align 4, !invariant.load !5
//   store i64 %18, ptr %extra.host, align 8
//   %19 = getelementptr inbounds i8, ptr %packed, i64 40
//   %20 = load i64, ptr %19, align 4, !invariant.load !5
//   %21 = getelementptr inbounds i8, ptr %extra.host, i64 8
//   store i64 %20, ptr %21, align 8
//   %22 = getelementptr inbounds i8, ptr %packed, i64 48
//   %23 = load i64, ptr %22, align 4, !invariant.load !5
//   %24 = getelementptr inbounds i8, ptr %extra.host, i64 16
//   store i64 %23, ptr %24, align 8
//   %25 = ptrtoint ptr %local to i64
//   %26 = getelementptr inbounds i8, ptr %extra.host, i64 24
//   store i64 %25, ptr %26, align 8
//   %27 = getelementptr inbounds i8, ptr %extra.host, i64 32
//   store i64 %11, ptr %27, align 8
//   %28 = getelementptr inbounds i8, ptr %extra.host, i64 40
//   store i64 0, ptr %28, align 8
//   %29 = getelementptr inbounds i8, ptr %extra.host, i64 48
//   store i64 0, ptr %29, align 8
//   %30 = getelementptr inbounds i8, ptr %extra.host, i64 56
//   store i64 %16, ptr %30, align 8
//   %31 = getelementptr inbounds i8, ptr %extra.host, i64 64
//   store i64 %13, ptr %31, align 8
//   %32 = load i32, ptr %sched, align 4, !invariant.load !5
//   %33 = zext i32 %32 to i64
//   store i64 %33, ptr %sched.host, align 8
//   %34 = getelementptr inbounds i8, ptr %sched, i64 4
//   %35 = load i32, ptr %34, align 4, !invariant.load !5
//   %36 = zext i32 %35 to i64
//   %37 = getelementptr inbounds i8, ptr %sched.host, i64 8
//   store i64 %36, ptr %37, align 8
//   %38 = getelementptr inbounds i8, ptr %sched, i64 8
//   %39 = load i32, ptr %38, align 4, !invariant.load !5
//   %40 = zext i32 %39 to i64
//   %41 = getelementptr inbounds i8, ptr %sched.host, i64 16
//   store i64 %40, ptr %41, align 8
//   %42 = getelementptr inbounds i8, ptr %sched, i64 12
//   %43 = load i32, ptr %42, align 4, !invariant.load !5
//   %44 = zext i32 %43 to i64
//   %45 = getelementptr inbounds i8, ptr %sched.host, i64 24
//   store i64 %44, ptr %45, align 8
//   %46 = getelementptr inbounds i8, ptr %sched, i64 16
//   %47 = load i32, ptr %46, align 4, !invariant.load !5
//   %48 = zext i32 %47 to i64
//   %49 = getelementptr inbounds i8, ptr %sched.host, i64 32
//   store i64 %48, ptr %49, align 8
//   %50 = getelementptr inbounds i8, ptr %sched, i64 20
//   %51 = load i32, ptr %50, align 4, !invariant.load !5
//   %52 = zext i32 %51 to i64
//   %53 = getelementptr inbounds i8, ptr %sched.host, i64 40
//   store i64 %52, ptr %53, align 8
//   %54 = getelementptr inbounds i8, ptr %sched, i64 24
//   %55 = load i32, ptr %54, align 4, !invariant.load !5
//   %56 = zext i32 %55 to i64
//   %57 = getelementptr inbounds i8, ptr %sched.host, i64 48
//   store i64 %56, ptr %57, align 8
//   %58 = getelementptr inbounds i8, ptr %sched, i64 28
//   %59 = load i32, ptr %58, align 4, !invariant.load !5
//   %60 = zext i32 %59 to i64
//   %61 = getelementptr inbounds i8, ptr %sched.host, i64 56
//   store i64 %60, ptr %61, align 8
//   %62 = getelementptr inbounds i8, ptr %sched, i64 32
//   %63 = load i32, ptr %62, align 4, !invariant.load !5
//   %64 = zext i32 %63 to i64
//   %65 = getelementptr inbounds i8, ptr %sched.host, i64 64
//   store i64 %64, ptr %65, align 8
//   %66 = getelementptr inbounds i8, ptr %sched, i64 52
//   %67 = load i32, ptr %66, align 4, !invariant.load !5
//   %68 = zext i32 %67 to i64
//   %69 = getelementptr inbounds i8, ptr %sched.host, i64 88
//   store i64 %68, ptr %69, align 8
//   %70 = getelementptr inbounds i8, ptr %sched, i64 56
//   %71 = load i32, ptr %70, align 4, !invariant.load !5
//   %72 = zext i32 %71 to i64
//   %73 = getelementptr inbounds i8, ptr %sched.host, i64 96
//   store i64 %72, ptr %73, align 8
//   %74 = getelementptr inbounds i8, ptr %sched, i64 60
//   %75 = load i32, ptr %74, align 4, !invariant.load !5
//   %76 = zext i32 %75 to i64
//   %77 = getelementptr inbounds i8, ptr %sched.host, i64 104
//   store i64 %76, ptr %77, align 8
//   %78 = getelementptr inbounds i8, ptr %sched.host, i64 72
//   store i32 16, ptr %78, align 8
//   %79 = getelementptr inbounds i8, ptr %sched.host, i64 76
//   store i32 1, ptr %79, align 4
//   %80 = getelementptr inbounds i8, ptr %sched.host, i64 80
//   store i32 1, ptr %80, align 8
//   %81 = getelementptr inbounds i8, ptr %sched, i64 48
//   %82 = load i32, ptr %81, align 4, !invariant.load !5
//   %83 = getelementptr inbounds i8, ptr %sched.host, i64 84
//   store i32 %82, ptr %83, align 4
//   %84 = ptrtoint ptr %extra.host to i64
//   %85 = getelementptr inbounds i8, ptr %sched.host, i64 112
//   store i64 %84, ptr %85, align 8
//   call void @muxcl.kernel.k.groups(ptr %packed, ptr %sched.host)
//   ret void
// }
//

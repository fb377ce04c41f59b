//! test = "kernel-abi"
//! isa = "RV32GC"
//! local = [16]
//! functions = ["muxcl.kernel.k"]
// The entry point for 32-bit addresses and a known local size: stack frames have a fixed size, and
// words of the schedule are extended.
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
//   %extra.host = alloca [11 x i64], align 8
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
//   %32 = getelementptr inbounds i8, ptr %packed, i64 56
//   %33 = load i64, ptr %32, align 4, !invariant.load !5
//   %34 = getelementptr inbounds i8, ptr %extra.host, i64 72
//   store i64 %33, ptr %34, align 8
//   %35 = load i32, ptr %sched, align 4, !invariant.load !5
//   %36 = zext i32 %35 to i64
//   store i64 %36, ptr %sched.host, align 8
//   %37 = getelementptr inbounds i8, ptr %sched, i64 4
//   %38 = load i32, ptr %37, align 4, !invariant.load !5
//   %39 = zext i32 %38 to i64
//   %40 = getelementptr inbounds i8, ptr %sched.host, i64 8
//   store i64 %39, ptr %40, align 8
//   %41 = getelementptr inbounds i8, ptr %sched, i64 8
//   %42 = load i32, ptr %41, align 4, !invariant.load !5
//   %43 = zext i32 %42 to i64
//   %44 = getelementptr inbounds i8, ptr %sched.host, i64 16
//   store i64 %43, ptr %44, align 8
//   %45 = getelementptr inbounds i8, ptr %sched, i64 12
//   %46 = load i32, ptr %45, align 4, !invariant.load !5
//   %47 = zext i32 %46 to i64
//   %48 = getelementptr inbounds i8, ptr %sched.host, i64 24
//   store i64 %47, ptr %48, align 8
//   %49 = getelementptr inbounds i8, ptr %sched, i64 12
//   %50 = getelementptr inbounds i8, ptr %49, i64 4
//   %51 = load i32, ptr %50, align 4, !invariant.load !5
//   %52 = zext i32 %51 to i64
//   %53 = getelementptr inbounds i8, ptr %sched.host, i64 32
//   store i64 %52, ptr %53, align 8
//   %54 = getelementptr inbounds i8, ptr %sched, i64 12
//   %55 = getelementptr inbounds i8, ptr %54, i64 8
//   %56 = load i32, ptr %55, align 4, !invariant.load !5
//   %57 = zext i32 %56 to i64
//   %58 = getelementptr inbounds i8, ptr %sched.host, i64 40
//   store i64 %57, ptr %58, align 8
//   %59 = getelementptr inbounds i8, ptr %sched, i64 24
//   %60 = load i32, ptr %59, align 4, !invariant.load !5
//   %61 = zext i32 %60 to i64
//   %62 = getelementptr inbounds i8, ptr %sched.host, i64 48
//   store i64 %61, ptr %62, align 8
//   %63 = getelementptr inbounds i8, ptr %sched, i64 24
//   %64 = getelementptr inbounds i8, ptr %63, i64 4
//   %65 = load i32, ptr %64, align 4, !invariant.load !5
//   %66 = zext i32 %65 to i64
//   %67 = getelementptr inbounds i8, ptr %sched.host, i64 56
//   store i64 %66, ptr %67, align 8
//   %68 = getelementptr inbounds i8, ptr %sched, i64 24
//   %69 = getelementptr inbounds i8, ptr %68, i64 8
//   %70 = load i32, ptr %69, align 4, !invariant.load !5
//   %71 = zext i32 %70 to i64
//   %72 = getelementptr inbounds i8, ptr %sched.host, i64 64
//   store i64 %71, ptr %72, align 8
//   %73 = getelementptr inbounds i8, ptr %sched, i64 52
//   %74 = load i32, ptr %73, align 4, !invariant.load !5
//   %75 = zext i32 %74 to i64
//   %76 = getelementptr inbounds i8, ptr %sched.host, i64 88
//   store i64 %75, ptr %76, align 8
//   %77 = getelementptr inbounds i8, ptr %sched, i64 52
//   %78 = getelementptr inbounds i8, ptr %77, i64 4
//   %79 = load i32, ptr %78, align 4, !invariant.load !5
//   %80 = zext i32 %79 to i64
//   %81 = getelementptr inbounds i8, ptr %sched.host, i64 96
//   store i64 %80, ptr %81, align 8
//   %82 = getelementptr inbounds i8, ptr %sched, i64 52
//   %83 = getelementptr inbounds i8, ptr %82, i64 8
//   %84 = load i32, ptr %83, align 4, !invariant.load !5
//   %85 = zext i32 %84 to i64
//   %86 = getelementptr inbounds i8, ptr %sched.host, i64 104
//   store i64 %85, ptr %86, align 8
//   %87 = getelementptr inbounds i8, ptr %sched.host, i64 72
//   store i32 16, ptr %87, align 8
//   %88 = getelementptr inbounds i8, ptr %sched.host, i64 76
//   store i32 1, ptr %88, align 4
//   %89 = getelementptr inbounds i8, ptr %sched.host, i64 80
//   store i32 1, ptr %89, align 8
//   %90 = getelementptr inbounds i8, ptr %sched, i64 12
//   %91 = getelementptr inbounds i8, ptr %90, i64 36
//   %92 = load i32, ptr %91, align 4, !invariant.load !5
//   %93 = getelementptr inbounds i8, ptr %sched.host, i64 84
//   store i32 %92, ptr %93, align 4
//   %94 = ptrtoint ptr %extra.host to i64
//   %95 = getelementptr inbounds i8, ptr %sched.host, i64 112
//   store i64 %94, ptr %95, align 8
//   call void @muxcl.kernel.k.groups(ptr %packed, ptr %sched.host)
//   ret void
// }
//

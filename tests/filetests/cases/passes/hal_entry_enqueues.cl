//! test = "kernel-abi"
//! isa = "RV64GC"
//! options = "-cl-std=CL3.0"
//! functions = ["muxcl.kernel.k"]
// A kernel that may enqueue has one more hidden word, the address of the enqueue heap, and passes
// it on.
kernel void k(global int *out) { out[0] = is_valid_event(create_user_event()); }
//---- expected ----
// ; Function Attrs: nounwind
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
//   %20 = call ptr @llvm.stacksave.p0()
//   %21 = ptrtoint ptr %20 to i64
//   %22 = icmp ult i64 %21, 1048576
//   %23 = select i1 %22, i64 %21, i64 1048576
//   %24 = sub i64 %21, %23
//   %25 = getelementptr inbounds i8, ptr %packed, i64 32
//   %26 = load i64, ptr %25, align 8, !invariant.load !5
//   store i64 %26, ptr %extra.host, align 8
//   %27 = getelementptr inbounds i8, ptr %packed, i64 40
//   %28 = load i64, ptr %27, align 8, !invariant.load !5
//   %29 = getelementptr inbounds i8, ptr %extra.host, i64 8
//   store i64 %28, ptr %29, align 8
//   %30 = getelementptr inbounds i8, ptr %packed, i64 48
//   %31 = load i64, ptr %30, align 8, !invariant.load !5
//   %32 = getelementptr inbounds i8, ptr %extra.host, i64 16
//   store i64 %31, ptr %32, align 8
//   %33 = getelementptr inbounds i8, ptr %extra.host, i64 24
//   store i64 0, ptr %33, align 8
//   %34 = getelementptr inbounds i8, ptr %extra.host, i64 32
//   store i64 0, ptr %34, align 8
//   %35 = getelementptr inbounds i8, ptr %extra.host, i64 40
//   store i64 0, ptr %35, align 8
//   %36 = getelementptr inbounds i8, ptr %extra.host, i64 48
//   store i64 0, ptr %36, align 8
//   %37 = getelementptr inbounds i8, ptr %extra.host, i64 56
//   store i64 %24, ptr %37, align 8
//   %38 = getelementptr inbounds i8, ptr %extra.host, i64 64
//   store i64 %21, ptr %38, align 8
//   %39 = getelementptr inbounds i8, ptr %packed, i64 56
//   %40 = load i64, ptr %39, align 8, !invariant.load !5
//   %41 = getelementptr inbounds i8, ptr %extra.host, i64 72
//   store i64 %40, ptr %41, align 8
//   %42 = getelementptr inbounds i8, ptr %packed, i64 64
//   %43 = load i64, ptr %42, align 8, !invariant.load !5
//   %44 = getelementptr inbounds i8, ptr %extra.host, i64 80
//   store i64 %43, ptr %44, align 8
//   %45 = load i64, ptr %sched, align 8, !invariant.load !5
//   store i64 %45, ptr %sched.host, align 8
//   %46 = getelementptr inbounds i8, ptr %sched, i64 8
//   %47 = load i64, ptr %46, align 8, !invariant.load !5
//   %48 = getelementptr inbounds i8, ptr %sched.host, i64 8
//   store i64 %47, ptr %48, align 8
//   %49 = getelementptr inbounds i8, ptr %sched, i64 16
//   %50 = load i64, ptr %49, align 8, !invariant.load !5
//   %51 = getelementptr inbounds i8, ptr %sched.host, i64 16
//   store i64 %50, ptr %51, align 8
//   %52 = getelementptr inbounds i8, ptr %sched, i64 24
//   %53 = load i64, ptr %52, align 8, !invariant.load !5
//   %54 = getelementptr inbounds i8, ptr %sched.host, i64 24
//   store i64 %53, ptr %54, align 8
//   %55 = getelementptr inbounds i8, ptr %sched, i64 24
//   %56 = getelementptr inbounds i8, ptr %55, i64 8
//   %57 = load i64, ptr %56, align 8, !invariant.load !5
//   %58 = getelementptr inbounds i8, ptr %sched.host, i64 32
//   store i64 %57, ptr %58, align 8
//   %59 = getelementptr inbounds i8, ptr %sched, i64 24
//   %60 = getelementptr inbounds i8, ptr %59, i64 16
//   %61 = load i64, ptr %60, align 8, !invariant.load !5
//   %62 = getelementptr inbounds i8, ptr %sched.host, i64 40
//   store i64 %61, ptr %62, align 8
//   %63 = getelementptr inbounds i8, ptr %sched, i64 48
//   %64 = load i64, ptr %63, align 8, !invariant.load !5
//   %65 = getelementptr inbounds i8, ptr %sched.host, i64 48
//   store i64 %64, ptr %65, align 8
//   %66 = getelementptr inbounds i8, ptr %sched, i64 48
//   %67 = getelementptr inbounds i8, ptr %66, i64 8
//   %68 = load i64, ptr %67, align 8, !invariant.load !5
//   %69 = getelementptr inbounds i8, ptr %sched.host, i64 56
//   store i64 %68, ptr %69, align 8
//   %70 = getelementptr inbounds i8, ptr %sched, i64 48
//   %71 = getelementptr inbounds i8, ptr %70, i64 16
//   %72 = load i64, ptr %71, align 8, !invariant.load !5
//   %73 = getelementptr inbounds i8, ptr %sched.host, i64 64
//   store i64 %72, ptr %73, align 8
//   %74 = getelementptr inbounds i8, ptr %sched, i64 %4
//   %75 = load i64, ptr %74, align 8, !invariant.load !5
//   %76 = getelementptr inbounds i8, ptr %sched.host, i64 88
//   store i64 %75, ptr %76, align 8
//   %77 = getelementptr inbounds i8, ptr %sched, i64 %4
//   %78 = getelementptr inbounds i8, ptr %77, i64 8
//   %79 = load i64, ptr %78, align 8, !invariant.load !5
//   %80 = getelementptr inbounds i8, ptr %sched.host, i64 96
//   store i64 %79, ptr %80, align 8
//   %81 = getelementptr inbounds i8, ptr %sched, i64 %4
//   %82 = getelementptr inbounds i8, ptr %81, i64 16
//   %83 = load i64, ptr %82, align 8, !invariant.load !5
//   %84 = getelementptr inbounds i8, ptr %sched.host, i64 104
//   store i64 %83, ptr %84, align 8
//   %85 = trunc i64 %7 to i32
//   %86 = getelementptr inbounds i8, ptr %sched.host, i64 72
//   store i32 %85, ptr %86, align 8
//   %87 = trunc i64 %12 to i32
//   %88 = getelementptr inbounds i8, ptr %sched.host, i64 76
//   store i32 %87, ptr %88, align 4
//   %89 = trunc i64 %17 to i32
//   %90 = getelementptr inbounds i8, ptr %sched.host, i64 80
//   store i32 %89, ptr %90, align 8
//   %91 = mul nuw i64 %3, 3
//   %92 = getelementptr inbounds i8, ptr %sched, i64 %91
//   %93 = getelementptr inbounds i8, ptr %92, i64 72
//   %94 = load i32, ptr %93, align 4, !invariant.load !5
//   %95 = getelementptr inbounds i8, ptr %sched.host, i64 84
//   store i32 %94, ptr %95, align 4
//   %96 = ptrtoint ptr %extra.host to i64
//   %97 = getelementptr inbounds i8, ptr %sched.host, i64 112
//   store i64 %96, ptr %97, align 8
//   call void @muxcl.kernel.k.groups(ptr %packed, ptr %sched.host)
//   ret void
// }
//

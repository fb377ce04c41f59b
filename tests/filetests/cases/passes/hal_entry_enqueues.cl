//! test = "kernel-abi"
//! isa = "RV64GC"
//! options = "-cl-std=CL3.0"
//! functions = ["muxcl.kernel.k"]
// A kernel that may enqueue has one more hidden word, the address of the area kernels and the host share, and hands it on.
kernel void k(global int *out) { out[0] = is_valid_event(create_user_event()); }
//---- expected ----
// ; Function Attrs: nounwind
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
//   %11 = call ptr @llvm.stacksave.p0()
//   %12 = ptrtoint ptr %11 to i64
//   %13 = icmp ult i64 %12, 1048576
//   %14 = select i1 %13, i64 %12, i64 1048576
//   %15 = sub i64 %12, %14
//   %16 = getelementptr inbounds i8, ptr %packed, i64 32
//   %17 = load i64, ptr %16, align 8, !invariant.load !5
//   store i64 %17, ptr %extra.host, align 8
//   %18 = getelementptr inbounds i8, ptr %packed, i64 40
//   %19 = load i64, ptr %18, align 8, !invariant.load !5
//   %20 = getelementptr inbounds i8, ptr %extra.host, i64 8
//   store i64 %19, ptr %20, align 8
//   %21 = getelementptr inbounds i8, ptr %packed, i64 48
//   %22 = load i64, ptr %21, align 8, !invariant.load !5
//   %23 = getelementptr inbounds i8, ptr %extra.host, i64 16
//   store i64 %22, ptr %23, align 8
//   %24 = getelementptr inbounds i8, ptr %extra.host, i64 24
//   store i64 0, ptr %24, align 8
//   %25 = getelementptr inbounds i8, ptr %extra.host, i64 32
//   store i64 0, ptr %25, align 8
//   %26 = getelementptr inbounds i8, ptr %extra.host, i64 40
//   store i64 0, ptr %26, align 8
//   %27 = getelementptr inbounds i8, ptr %extra.host, i64 48
//   store i64 0, ptr %27, align 8
//   %28 = getelementptr inbounds i8, ptr %extra.host, i64 56
//   store i64 %15, ptr %28, align 8
//   %29 = getelementptr inbounds i8, ptr %extra.host, i64 64
//   store i64 %12, ptr %29, align 8
//   %30 = getelementptr inbounds i8, ptr %packed, i64 56
//   %31 = load i64, ptr %30, align 8, !invariant.load !5
//   %32 = getelementptr inbounds i8, ptr %extra.host, i64 72
//   store i64 %31, ptr %32, align 8
//   %33 = getelementptr inbounds i8, ptr %packed, i64 64
//   %34 = load i64, ptr %33, align 8, !invariant.load !5
//   %35 = getelementptr inbounds i8, ptr %extra.host, i64 80
//   store i64 %34, ptr %35, align 8
//   %36 = load i64, ptr %sched, align 8, !invariant.load !5
//   store i64 %36, ptr %sched.host, align 8
//   %37 = getelementptr inbounds i8, ptr %sched, i64 8
//   %38 = load i64, ptr %37, align 8, !invariant.load !5
//   %39 = getelementptr inbounds i8, ptr %sched.host, i64 8
//   store i64 %38, ptr %39, align 8
//   %40 = getelementptr inbounds i8, ptr %sched, i64 16
//   %41 = load i64, ptr %40, align 8, !invariant.load !5
//   %42 = getelementptr inbounds i8, ptr %sched.host, i64 16
//   store i64 %41, ptr %42, align 8
//   %43 = getelementptr inbounds i8, ptr %sched, i64 24
//   %44 = load i64, ptr %43, align 8, !invariant.load !5
//   %45 = getelementptr inbounds i8, ptr %sched.host, i64 24
//   store i64 %44, ptr %45, align 8
//   %46 = getelementptr inbounds i8, ptr %sched, i64 32
//   %47 = load i64, ptr %46, align 8, !invariant.load !5
//   %48 = getelementptr inbounds i8, ptr %sched.host, i64 32
//   store i64 %47, ptr %48, align 8
//   %49 = getelementptr inbounds i8, ptr %sched, i64 40
//   %50 = load i64, ptr %49, align 8, !invariant.load !5
//   %51 = getelementptr inbounds i8, ptr %sched.host, i64 40
//   store i64 %50, ptr %51, align 8
//   %52 = getelementptr inbounds i8, ptr %sched, i64 48
//   %53 = load i64, ptr %52, align 8, !invariant.load !5
//   %54 = getelementptr inbounds i8, ptr %sched.host, i64 48
//   store i64 %53, ptr %54, align 8
//   %55 = getelementptr inbounds i8, ptr %sched, i64 56
//   %56 = load i64, ptr %55, align 8, !invariant.load !5
//   %57 = getelementptr inbounds i8, ptr %sched.host, i64 56
//   store i64 %56, ptr %57, align 8
//   %58 = getelementptr inbounds i8, ptr %sched, i64 64
//   %59 = load i64, ptr %58, align 8, !invariant.load !5
//   %60 = getelementptr inbounds i8, ptr %sched.host, i64 64
//   store i64 %59, ptr %60, align 8
//   %61 = getelementptr inbounds i8, ptr %sched, i64 88
//   %62 = load i64, ptr %61, align 8, !invariant.load !5
//   %63 = getelementptr inbounds i8, ptr %sched.host, i64 88
//   store i64 %62, ptr %63, align 8
//   %64 = getelementptr inbounds i8, ptr %sched, i64 96
//   %65 = load i64, ptr %64, align 8, !invariant.load !5
//   %66 = getelementptr inbounds i8, ptr %sched.host, i64 96
//   store i64 %65, ptr %66, align 8
//   %67 = getelementptr inbounds i8, ptr %sched, i64 104
//   %68 = load i64, ptr %67, align 8, !invariant.load !5
//   %69 = getelementptr inbounds i8, ptr %sched.host, i64 104
//   store i64 %68, ptr %69, align 8
//   %70 = trunc i64 %2 to i32
//   %71 = getelementptr inbounds i8, ptr %sched.host, i64 72
//   store i32 %70, ptr %71, align 8
//   %72 = trunc i64 %5 to i32
//   %73 = getelementptr inbounds i8, ptr %sched.host, i64 76
//   store i32 %72, ptr %73, align 4
//   %74 = trunc i64 %8 to i32
//   %75 = getelementptr inbounds i8, ptr %sched.host, i64 80
//   store i32 %74, ptr %75, align 8
//   %76 = getelementptr inbounds i8, ptr %sched, i64 84
//   %77 = load i32, ptr %76, align 4, !invariant.load !5
//   %78 = getelementptr inbounds i8, ptr %sched.host, i64 84
//   store i32 %77, ptr %78, align 4
//   %79 = ptrtoint ptr %extra.host to i64
//   %80 = getelementptr inbounds i8, ptr %sched.host, i64 112
//   store i64 %79, ptr %80, align 8
//   call void @muxcl.kernel.k.groups(ptr %packed, ptr %sched.host)
//   ret void
// }
//

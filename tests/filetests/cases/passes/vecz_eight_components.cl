//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 8
// The order of many components changes in steps of two vectors each, to lanes and back.
kernel void k(global uint8 *a) {
  uint x = get_local_id(0);
  uint8 v = a[x];
  v.s0 += v.s1;
  v.s7 *= v.s2;
  a[x] = v;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %0 = load i64, ptr %sched, align 8, !invariant.load !5
//   %1 = getelementptr inbounds nuw i8, ptr %sched, i64 8
//   %2 = load i64, ptr %1, align 8, !invariant.load !5
//   %3 = getelementptr inbounds nuw i8, ptr %sched, i64 16
//   %4 = load i64, ptr %3, align 8, !invariant.load !5
//   %5 = getelementptr inbounds nuw i8, ptr %sched, i64 88
//   %6 = load i64, ptr %5, align 8, !invariant.load !5
//   %7 = getelementptr inbounds nuw i8, ptr %sched, i64 96
//   %8 = load i64, ptr %7, align 8, !invariant.load !5
//   %9 = getelementptr inbounds nuw i8, ptr %sched, i64 104
//   %10 = load i64, ptr %9, align 8, !invariant.load !5
//   %11 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %12 = load ptr, ptr %11, align 8, !invariant.load !5
//   %13 = load i64, ptr %12, align 8, !invariant.load !5
//   %14 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %33, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %30, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %27, %k.group.exit ]
//   %15 = shl nuw i64 %gx, 6
//   %16 = sub i64 %13, %15
//   %17 = call i64 @llvm.umin.i64(i64 %16, i64 64)
//   br label %vector.check
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %items.x.i
//   %local.x.i = phi i64 [ %25, %items.x.i ], [ 0, %vector.check ], [ %113, %vector.leave ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw <8 x i32>, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %18 = load <8 x i32>, ptr addrspace(1) %arrayidx.i.i, align 32, !tbaa !6, !llvm.access.group !7
//   %19 = extractelement <8 x i32> %18, i64 1
//   %20 = extractelement <8 x i32> %18, i64 0
//   %add.i.i = add i32 %20, %19
//   %21 = insertelement <8 x i32> %18, i32 %add.i.i, i64 0
//   %22 = extractelement <8 x i32> %18, i64 2
//   %23 = extractelement <8 x i32> %18, i64 7
//   %mul.i.i = mul i32 %23, %22
//   %24 = insertelement <8 x i32> %21, i32 %mul.i.i, i64 7
//   store <8 x i32> %24, ptr addrspace(1) %arrayidx.i.i, align 32, !tbaa !6, !llvm.access.group !7
//   %25 = add nuw i64 %local.x.i, 1
//   %26 = icmp ult i64 %25, %17
//   br i1 %26, label %items.x.i, label %k.group.exit, !llvm.loop !8
//
// k.group.exit:                                     ; preds = %vector.leave, %items.x.i
//   %27 = add nuw i64 %gx, 1
//   %28 = add nuw i64 %0, %6
//   %29 = icmp ult i64 %27, %28
//   br i1 %29, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %30 = add nuw i64 %gy, 1
//   %31 = add nuw i64 %2, %8
//   %32 = icmp ult i64 %30, %31
//   br i1 %32, label %group.y, label %group.next1, !llvm.loop !13
//
// group.next1:                                      ; preds = %group.next
//   %33 = add nuw i64 %gz, 1
//   %34 = add nuw i64 %4, %10
//   %35 = icmp ult i64 %33, %34
//   br i1 %35, label %group.z, label %exit, !llvm.loop !14
//
// vector.check:                                     ; preds = %group.x
//   %36 = sub i64 %17, 0
//   %37 = and i64 %36, -8
//   %38 = icmp eq i64 %37, 0
//   br i1 %38, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %items.x.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %110, %items.x.i.v ]
//   %39 = and i64 %vector, 4294967295
//   %40 = getelementptr inbounds nuw <8 x i32>, ptr addrspace(1) %14, i64 %39
//   %41 = load <64 x i32>, ptr addrspace(1) %40, align 32, !tbaa !6, !llvm.access.group !7
//   %42 = shufflevector <64 x i32> %41, <64 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
//   %43 = shufflevector <64 x i32> %41, <64 x i32> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %44 = shufflevector <64 x i32> %41, <64 x i32> poison, <8 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
//   %45 = shufflevector <64 x i32> %41, <64 x i32> poison, <8 x i32> <i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %46 = shufflevector <64 x i32> %41, <64 x i32> poison, <8 x i32> <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39>
//   %47 = shufflevector <64 x i32> %41, <64 x i32> poison, <8 x i32> <i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47>
//   %48 = shufflevector <64 x i32> %41, <64 x i32> poison, <8 x i32> <i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55>
//   %49 = shufflevector <64 x i32> %41, <64 x i32> poison, <8 x i32> <i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
//   %50 = shufflevector <8 x i32> %42, <8 x i32> %43, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
//   %51 = shufflevector <8 x i32> %42, <8 x i32> %43, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
//   %52 = shufflevector <8 x i32> %44, <8 x i32> %45, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
//   %53 = shufflevector <8 x i32> %44, <8 x i32> %45, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
//   %54 = shufflevector <8 x i32> %46, <8 x i32> %47, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
//   %55 = shufflevector <8 x i32> %46, <8 x i32> %47, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
//   %56 = shufflevector <8 x i32> %48, <8 x i32> %49, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
//   %57 = shufflevector <8 x i32> %48, <8 x i32> %49, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
//   %58 = shufflevector <8 x i32> %50, <8 x i32> %52, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
//   %59 = shufflevector <8 x i32> %51, <8 x i32> %53, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
//   %60 = shufflevector <8 x i32> %50, <8 x i32> %52, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
//   %61 = shufflevector <8 x i32> %51, <8 x i32> %53, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
//   %62 = shufflevector <8 x i32> %54, <8 x i32> %56, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
//   %63 = shufflevector <8 x i32> %55, <8 x i32> %57, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
//   %64 = shufflevector <8 x i32> %54, <8 x i32> %56, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
//   %65 = shufflevector <8 x i32> %55, <8 x i32> %57, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
//   %66 = shufflevector <8 x i32> %58, <8 x i32> %62, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
//   %67 = shufflevector <8 x i32> %59, <8 x i32> %63, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
//   %68 = shufflevector <8 x i32> %60, <8 x i32> %64, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
//   %69 = shufflevector <8 x i32> %61, <8 x i32> %65, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
//   %70 = shufflevector <8 x i32> %58, <8 x i32> %62, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
//   %71 = shufflevector <8 x i32> %59, <8 x i32> %63, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
//   %72 = shufflevector <8 x i32> %60, <8 x i32> %64, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
//   %73 = shufflevector <8 x i32> %61, <8 x i32> %65, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
//   %74 = add <8 x i32> %66, %67
//   %75 = mul <8 x i32> %73, %68
//   %76 = shufflevector <8 x i32> %74, <8 x i32> %70, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
//   %77 = shufflevector <8 x i32> %67, <8 x i32> %71, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
//   %78 = shufflevector <8 x i32> %68, <8 x i32> %72, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
//   %79 = shufflevector <8 x i32> %69, <8 x i32> %75, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
//   %80 = shufflevector <8 x i32> %74, <8 x i32> %70, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
//   %81 = shufflevector <8 x i32> %67, <8 x i32> %71, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
//   %82 = shufflevector <8 x i32> %68, <8 x i32> %72, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
//   %83 = shufflevector <8 x i32> %69, <8 x i32> %75, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
//   %84 = shufflevector <8 x i32> %76, <8 x i32> %78, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
//   %85 = shufflevector <8 x i32> %77, <8 x i32> %79, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
//   %86 = shufflevector <8 x i32> %76, <8 x i32> %78, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
//   %87 = shufflevector <8 x i32> %77, <8 x i32> %79, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
//   %88 = shufflevector <8 x i32> %80, <8 x i32> %82, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
//   %89 = shufflevector <8 x i32> %81, <8 x i32> %83, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
//   %90 = shufflevector <8 x i32> %80, <8 x i32> %82, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
//   %91 = shufflevector <8 x i32> %81, <8 x i32> %83, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
//   %92 = shufflevector <8 x i32> %84, <8 x i32> %85, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
//   %93 = shufflevector <8 x i32> %84, <8 x i32> %85, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
//   %94 = shufflevector <8 x i32> %86, <8 x i32> %87, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
//   %95 = shufflevector <8 x i32> %86, <8 x i32> %87, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
//   %96 = shufflevector <8 x i32> %88, <8 x i32> %89, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
//   %97 = shufflevector <8 x i32> %88, <8 x i32> %89, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
//   %98 = shufflevector <8 x i32> %90, <8 x i32> %91, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
//   %99 = shufflevector <8 x i32> %90, <8 x i32> %91, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
//   %100 = shufflevector <8 x i32> %92, <8 x i32> %93, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %101 = shufflevector <8 x i32> %94, <8 x i32> %95, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %102 = shufflevector <8 x i32> %96, <8 x i32> %97, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %103 = shufflevector <8 x i32> %98, <8 x i32> %99, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %104 = shufflevector <16 x i32> %100, <16 x i32> %101, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %105 = shufflevector <16 x i32> %102, <16 x i32> %103, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %106 = shufflevector <32 x i32> %104, <32 x i32> %105, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
//   store <64 x i32> %106, ptr addrspace(1) %40, align 32, !tbaa !6, !llvm.access.group !7
//   %107 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <8 x i64> poison, i64 %107, i64 0
//   %.splat = shufflevector <8 x i64> %.splatinsert, <8 x i64> poison, <8 x i32> zeroinitializer
//   %108 = add <8 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
//   %.splatinsert2 = insertelement <8 x i64> poison, i64 %17, i64 0
//   %.splat3 = shufflevector <8 x i64> %.splatinsert2, <8 x i64> poison, <8 x i32> zeroinitializer
//   %109 = icmp ult <8 x i64> %108, %.splat3
//   %110 = add i64 %vector, 8
//   %111 = sub i64 %110, 0
//   %112 = icmp ult i64 %111, %37
//   br i1 %112, label %items.x.i.v, label %vector.leave, !llvm.loop !15
//
// vector.leave:                                     ; preds = %items.x.i.v
//   %113 = add i64 0, %37
//   %114 = icmp ne i64 %37, %36
//   br i1 %114, label %items.x.i, label %k.group.exit
// }
//

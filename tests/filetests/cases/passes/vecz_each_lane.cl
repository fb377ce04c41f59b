//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// An atomic operation without result runs for one lane after another, without tests of the mask if
// all lanes are in it. Each lane extends its index and computes its address by itself.
kernel void k(global const uchar *in, global uint *bins, uint n) {
  uint i = get_global_id(0);
  if (i < n) atomic_inc(&bins[in[i]]);
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %lanes = alloca <4 x i8>, align 4
//   %value = alloca i32, align 4
//   %mask = alloca <4 x i1>, align 1
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
//   %combined = alloca [16448 x i8], align 64
//   call void @muxcl.combine.start.add.i32(ptr nonnull %combined) #5
//   %11 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %12 = load ptr, ptr %11, align 8, !invariant.load !5
//   %13 = load i64, ptr %12, align 8, !invariant.load !5
//   %14 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %15 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %16 = load ptr addrspace(1), ptr %15, align 8, !invariant.load !5
//   %17 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %18 = load i32, ptr %17, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   call void @muxcl.combine.finish.add.i32(ptr nonnull %combined, ptr nonnull @muxcl.combine.paused.muxcl.kernel.k, ptr nonnull %sched) #5
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %36, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %33, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %30, %k.group.exit ]
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   %22 = trunc i64 %19 to i32
//   br label %vector.check
//
// if.then.i.i:                                      ; preds = %items.x.i
//   %23 = zext i32 %29 to i64
//   %arrayidx.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %14, i64 %23
//   %24 = load i8, ptr addrspace(1) %arrayidx.i.i, align 1, !tbaa !6, !llvm.access.group !7
//   %idxprom2.i.i = zext i8 %24 to i64
//   %arrayidx3.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %idxprom2.i.i
//   %25 = atomicrmw volatile add ptr addrspace(1) %arrayidx3.i.i, i32 1 monotonic, align 4, !muxcl.combined !5
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.then.i.i, %items.x.i
//   %26 = add nuw i64 %local.x.i, 1
//   %27 = icmp ult i64 %26, %21
//   br i1 %27, label %items.x.i, label %k.group.exit, !llvm.loop !8
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %26, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %66, %vector.leave ]
//   %28 = trunc i64 %local.x.i to i32
//   %29 = add nuw nsw i32 %22, %28
//   %cmp.i.i = icmp ugt i32 %18, %29
//   br i1 %cmp.i.i, label %if.then.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %30 = add nuw i64 %gx, 1
//   %31 = add nuw i64 %0, %6
//   %32 = icmp ult i64 %30, %31
//   br i1 %32, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %33 = add nuw i64 %gy, 1
//   %34 = add nuw i64 %2, %8
//   %35 = icmp ult i64 %33, %34
//   br i1 %35, label %group.y, label %group.next1, !llvm.loop !13
//
// group.next1:                                      ; preds = %group.next
//   %36 = add nuw i64 %gz, 1
//   %37 = add nuw i64 %4, %10
//   %38 = icmp ult i64 %36, %37
//   br i1 %38, label %group.z, label %exit, !llvm.loop !14
//
// vector.check:                                     ; preds = %group.x
//   %39 = sub i64 %21, 0
//   %40 = and i64 %39, -4
//   %41 = icmp eq i64 %40, 0
//   br i1 %41, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %63, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x i1> zeroinitializer, ptr %mask, align 1
//   %42 = trunc i64 %vector to i32
//   %43 = add nuw nsw i32 %22, %42
//   %.splatinsert = insertelement <4 x i32> poison, i32 %18, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert2 = insertelement <4 x i32> poison, i32 %43, i64 0
//   %.splat3 = shufflevector <4 x i32> %.splatinsert2, <4 x i32> poison, <4 x i32> zeroinitializer
//   %44 = add <4 x i32> %.splat3, <i32 0, i32 1, i32 2, i32 3>
//   %45 = icmp ugt <4 x i32> %.splat, %44
//   %46 = xor <4 x i1> splat (i1 true), %45
//   %47 = load <4 x i1>, ptr %mask, align 1
//   %48 = or <4 x i1> %47, %45
//   store <4 x i1> %48, ptr %mask, align 1
//   %49 = load <4 x i1>, ptr %mask, align 1
//   %50 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %49)
//   store i32 %43, ptr %value, align 4
//   br i1 %50, label %if.then.i.i.v, label %skip
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %51 = load <4 x i1>, ptr %mask, align 1
//   %52 = load i32, ptr %value, align 4
//   %53 = zext i32 %52 to i64
//   %54 = getelementptr i8, ptr addrspace(1) %14, i64 %53
//   %55 = call <4 x i8> @llvm.masked.load.v4i8.p1(ptr addrspace(1) align 1 %54, <4 x i1> %51, <4 x i8> poison), !tbaa !6, !llvm.access.group !7
//   %56 = zext <4 x i8> %55 to <4 x i64>
//   %57 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, <4 x i64> %56
//   %58 = xor <4 x i1> %51, splat (i1 true)
//   %59 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %58)
//   br i1 %59, label %lanes.some, label %lanes.all
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %lanes.done, %skip
//   %60 = add nuw i64 %vector, 1
//   %.splatinsert5 = insertelement <4 x i64> poison, i64 %60, i64 0
//   %.splat6 = shufflevector <4 x i64> %.splatinsert5, <4 x i64> poison, <4 x i32> zeroinitializer
//   %61 = add <4 x i64> %.splat6, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert7 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat8 = shufflevector <4 x i64> %.splatinsert7, <4 x i64> poison, <4 x i32> zeroinitializer
//   %62 = icmp ult <4 x i64> %61, %.splat8
//   %63 = add i64 %vector, 4
//   %64 = sub i64 %63, 0
//   %65 = icmp ult i64 %64, %40
//   br i1 %65, label %items.x.i.v, label %vector.leave, !llvm.loop !15
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %66 = add i64 0, %40
//   %67 = icmp ne i64 %40, %39
//   br i1 %67, label %items.x.i, label %k.group.exit
//
// skip:                                             ; preds = %items.x.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// lanes.all:                                        ; preds = %if.then.i.i.v
//   %68 = extractelement <4 x i8> %55, i32 0
//   %69 = zext i8 %68 to i64
//   %70 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %69
//   %71 = atomicrmw volatile add ptr addrspace(1) %70, i32 1 monotonic, align 4, !muxcl.combined !5
//   %72 = extractelement <4 x i8> %55, i32 1
//   %73 = zext i8 %72 to i64
//   %74 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %73
//   %75 = atomicrmw volatile add ptr addrspace(1) %74, i32 1 monotonic, align 4, !muxcl.combined !5
//   %76 = extractelement <4 x i8> %55, i32 2
//   %77 = zext i8 %76 to i64
//   %78 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %77
//   %79 = atomicrmw volatile add ptr addrspace(1) %78, i32 1 monotonic, align 4, !muxcl.combined !5
//   %80 = extractelement <4 x i8> %55, i32 3
//   %81 = zext i8 %80 to i64
//   %82 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %81
//   %83 = atomicrmw volatile add ptr addrspace(1) %82, i32 1 monotonic, align 4, !muxcl.combined !5
//   br label %lanes.done
//
// lanes.some:                                       ; preds = %if.then.i.i.v
//   store <4 x i8> %55, ptr %lanes, align 4
//   %84 = bitcast <4 x i1> %51 to i4
//   %85 = zext i4 %84 to i64
//   br label %lane
//
// lanes.done:                                       ; preds = %lanes.done4, %lanes.all
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// lane:                                             ; preds = %lane.run, %lanes.some
//   %lanes.left = phi i64 [ %85, %lanes.some ], [ %96, %lane.run ]
//   %86 = icmp eq i64 %lanes.left, 0
//   br i1 %86, label %lanes.done4, label %lane.run
//
// lane.run:                                         ; preds = %lane
//   %87 = call i64 @llvm.cttz.i64(i64 %lanes.left, i1 true)
//   %88 = trunc i64 %87 to i32
//   %89 = zext i32 %88 to i64
//   %90 = getelementptr inbounds i8, ptr %lanes, i64 %89
//   %91 = load i8, ptr %90, align 1
//   %92 = zext i8 %91 to i64
//   %93 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %92
//   %94 = atomicrmw volatile add ptr addrspace(1) %93, i32 1 monotonic, align 4, !muxcl.combined !5
//   %95 = sub i64 %lanes.left, 1
//   %96 = and i64 %lanes.left, %95
//   br label %lane
//
// lanes.done4:                                      ; preds = %lane
//   br label %lanes.done
// }
//

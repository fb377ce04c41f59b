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
//   %11 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %12 = load ptr, ptr %11, align 8
//   %13 = getelementptr inbounds nuw i8, ptr %12, i64 88
//   %14 = load ptr, ptr %13, align 8
//   call void @muxcl.combine.start.add.i32(ptr %14, ptr nonnull @muxcl.combine.paused.muxcl.kernel.k, ptr nonnull %sched) #5
//   %15 = load i64, ptr %12, align 8, !invariant.load !5
//   %16 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %17 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %18 = load ptr addrspace(1), ptr %17, align 8, !invariant.load !5
//   %19 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %20 = load i32, ptr %19, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %38, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %35, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %32, %k.group.exit ]
//   %21 = shl nuw i64 %gx, 6
//   %22 = sub i64 %15, %21
//   %23 = call i64 @llvm.umin.i64(i64 %22, i64 64)
//   %24 = trunc i64 %21 to i32
//   br label %vector.check
//
// if.then.i.i:                                      ; preds = %items.x.i
//   %25 = zext i32 %31 to i64
//   %arrayidx.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %16, i64 %25
//   %26 = load i8, ptr addrspace(1) %arrayidx.i.i, align 1, !tbaa !6, !llvm.access.group !7
//   %idxprom2.i.i = zext i8 %26 to i64
//   %arrayidx3.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %idxprom2.i.i
//   %27 = atomicrmw volatile add ptr addrspace(1) %arrayidx3.i.i, i32 1 monotonic, align 4, !muxcl.combined !5
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.then.i.i, %items.x.i
//   %28 = add nuw i64 %local.x.i, 1
//   %29 = icmp ult i64 %28, %23
//   br i1 %29, label %items.x.i, label %k.group.exit, !llvm.loop !8
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %28, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %68, %vector.leave ]
//   %30 = trunc i64 %local.x.i to i32
//   %31 = add nuw nsw i32 %24, %30
//   %cmp.i.i = icmp ugt i32 %20, %31
//   br i1 %cmp.i.i, label %if.then.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %32 = add nuw i64 %gx, 1
//   %33 = add nuw i64 %0, %6
//   %34 = icmp ult i64 %32, %33
//   br i1 %34, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %35 = add nuw i64 %gy, 1
//   %36 = add nuw i64 %2, %8
//   %37 = icmp ult i64 %35, %36
//   br i1 %37, label %group.y, label %group.next1, !llvm.loop !13
//
// group.next1:                                      ; preds = %group.next
//   %38 = add nuw i64 %gz, 1
//   %39 = add nuw i64 %4, %10
//   %40 = icmp ult i64 %38, %39
//   br i1 %40, label %group.z, label %exit, !llvm.loop !14
//
// vector.check:                                     ; preds = %group.x
//   %41 = sub i64 %23, 0
//   %42 = and i64 %41, -4
//   %43 = icmp eq i64 %42, 0
//   br i1 %43, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %65, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x i1> zeroinitializer, ptr %mask, align 1
//   %44 = trunc i64 %vector to i32
//   %45 = add nuw nsw i32 %24, %44
//   %.splatinsert = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert2 = insertelement <4 x i32> poison, i32 %45, i64 0
//   %.splat3 = shufflevector <4 x i32> %.splatinsert2, <4 x i32> poison, <4 x i32> zeroinitializer
//   %46 = add <4 x i32> %.splat3, <i32 0, i32 1, i32 2, i32 3>
//   %47 = icmp ugt <4 x i32> %.splat, %46
//   %48 = xor <4 x i1> splat (i1 true), %47
//   %49 = load <4 x i1>, ptr %mask, align 1
//   %50 = or <4 x i1> %49, %47
//   store <4 x i1> %50, ptr %mask, align 1
//   %51 = load <4 x i1>, ptr %mask, align 1
//   %52 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %51)
//   store i32 %45, ptr %value, align 4
//   br i1 %52, label %if.then.i.i.v, label %skip
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %53 = load <4 x i1>, ptr %mask, align 1
//   %54 = load i32, ptr %value, align 4
//   %55 = zext i32 %54 to i64
//   %56 = getelementptr i8, ptr addrspace(1) %16, i64 %55
//   %57 = call <4 x i8> @llvm.masked.load.v4i8.p1(ptr addrspace(1) align 1 %56, <4 x i1> %53, <4 x i8> poison), !tbaa !6, !llvm.access.group !7
//   %58 = zext <4 x i8> %57 to <4 x i64>
//   %59 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, <4 x i64> %58
//   %60 = xor <4 x i1> %53, splat (i1 true)
//   %61 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %60)
//   br i1 %61, label %lanes.some, label %lanes.all
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %lanes.done, %skip
//   %62 = add nuw i64 %vector, 1
//   %.splatinsert5 = insertelement <4 x i64> poison, i64 %62, i64 0
//   %.splat6 = shufflevector <4 x i64> %.splatinsert5, <4 x i64> poison, <4 x i32> zeroinitializer
//   %63 = add <4 x i64> %.splat6, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert7 = insertelement <4 x i64> poison, i64 %23, i64 0
//   %.splat8 = shufflevector <4 x i64> %.splatinsert7, <4 x i64> poison, <4 x i32> zeroinitializer
//   %64 = icmp ult <4 x i64> %63, %.splat8
//   %65 = add i64 %vector, 4
//   %66 = sub i64 %65, 0
//   %67 = icmp ult i64 %66, %42
//   br i1 %67, label %items.x.i.v, label %vector.leave, !llvm.loop !15
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %68 = add i64 0, %42
//   %69 = icmp ne i64 %42, %41
//   br i1 %69, label %items.x.i, label %k.group.exit
//
// skip:                                             ; preds = %items.x.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// lanes.all:                                        ; preds = %if.then.i.i.v
//   %70 = extractelement <4 x i8> %57, i32 0
//   %71 = zext i8 %70 to i64
//   %72 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %71
//   %73 = atomicrmw volatile add ptr addrspace(1) %72, i32 1 monotonic, align 4, !muxcl.combined !5
//   %74 = extractelement <4 x i8> %57, i32 1
//   %75 = zext i8 %74 to i64
//   %76 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %75
//   %77 = atomicrmw volatile add ptr addrspace(1) %76, i32 1 monotonic, align 4, !muxcl.combined !5
//   %78 = extractelement <4 x i8> %57, i32 2
//   %79 = zext i8 %78 to i64
//   %80 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %79
//   %81 = atomicrmw volatile add ptr addrspace(1) %80, i32 1 monotonic, align 4, !muxcl.combined !5
//   %82 = extractelement <4 x i8> %57, i32 3
//   %83 = zext i8 %82 to i64
//   %84 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %83
//   %85 = atomicrmw volatile add ptr addrspace(1) %84, i32 1 monotonic, align 4, !muxcl.combined !5
//   br label %lanes.done
//
// lanes.some:                                       ; preds = %if.then.i.i.v
//   store <4 x i8> %57, ptr %lanes, align 4
//   %86 = bitcast <4 x i1> %53 to i4
//   %87 = zext i4 %86 to i64
//   br label %lane
//
// lanes.done:                                       ; preds = %lanes.done4, %lanes.all
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// lane:                                             ; preds = %lane.run, %lanes.some
//   %lanes.left = phi i64 [ %87, %lanes.some ], [ %98, %lane.run ]
//   %88 = icmp eq i64 %lanes.left, 0
//   br i1 %88, label %lanes.done4, label %lane.run
//
// lane.run:                                         ; preds = %lane
//   %89 = call i64 @llvm.cttz.i64(i64 %lanes.left, i1 true)
//   %90 = trunc i64 %89 to i32
//   %91 = zext i32 %90 to i64
//   %92 = getelementptr inbounds i8, ptr %lanes, i64 %91
//   %93 = load i8, ptr %92, align 1
//   %94 = zext i8 %93 to i64
//   %95 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %94
//   %96 = atomicrmw volatile add ptr addrspace(1) %95, i32 1 monotonic, align 4, !muxcl.combined !5
//   %97 = sub i64 %lanes.left, 1
//   %98 = and i64 %lanes.left, %97
//   br label %lane
//
// lanes.done4:                                      ; preds = %lane
//   br label %lanes.done
// }
//

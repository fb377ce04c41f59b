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
//   %gz = phi i64 [ %4, %entry ], [ %52, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %49, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %46, %k.group.exit ]
//   %21 = shl nuw i64 %gx, 6
//   %22 = sub i64 %15, %21
//   %23 = call i64 @llvm.umin.i64(i64 %22, i64 64)
//   %24 = trunc i64 %21 to i32
//   %25 = trunc nuw nsw i64 %23 to i32
//   %26 = add nsw i32 %25, -1
//   %27 = add i32 %26, %24
//   %28 = icmp ugt i32 %20, %24
//   %29 = icmp ugt i32 %20, %27
//   %30 = icmp uge i32 %27, %24
//   %31 = and i1 %28, %29
//   %32 = and i1 %31, %30
//   br i1 %32, label %items.x.inside.i.preheader, label %items.x.i.preheader
//
// items.x.i.preheader:                              ; preds = %group.x
//   br label %vector.check
//
// items.x.inside.i.preheader:                       ; preds = %group.x
//   br label %vector.check11
//
// if.then.i.i:                                      ; preds = %items.x.i
//   %33 = zext i32 %39 to i64
//   %arrayidx.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %16, i64 %33
//   %34 = load i8, ptr addrspace(1) %arrayidx.i.i, align 1, !tbaa !6, !llvm.access.group !7
//   %idxprom2.i.i = zext i8 %34 to i64
//   %arrayidx3.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %idxprom2.i.i
//   %35 = atomicrmw volatile add ptr addrspace(1) %arrayidx3.i.i, i32 1 monotonic, align 4, !muxcl.combined !5
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.then.i.i, %items.x.i
//   %36 = add nuw i64 %local.x.i, 1
//   %37 = icmp ult i64 %36, %23
//   br i1 %37, label %items.x.i, label %k.group.exit.loopexit3, !llvm.loop !8
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %36, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %82, %vector.leave ]
//   %38 = trunc i64 %local.x.i to i32
//   %39 = add nuw nsw i32 %24, %38
//   %cmp.i.i = icmp ugt i32 %20, %39
//   br i1 %cmp.i.i, label %if.then.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// items.x.inside.i:                                 ; preds = %vector.leave13, %vector.check11, %items.x.inside.i
//   %local.x.inside.i = phi i64 [ %44, %items.x.inside.i ], [ 0, %vector.check11 ], [ %144, %vector.leave13 ]
//   %40 = add i64 %21, %local.x.inside.i
//   %41 = and i64 %40, 4294967295
//   %arrayidx.i.inside.i = getelementptr inbounds nuw i8, ptr addrspace(1) %16, i64 %41
//   %42 = load i8, ptr addrspace(1) %arrayidx.i.inside.i, align 1, !tbaa !6, !llvm.access.group !7
//   %idxprom2.i.inside.i = zext i8 %42 to i64
//   %arrayidx3.i.inside.i = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %idxprom2.i.inside.i
//   %43 = atomicrmw volatile add ptr addrspace(1) %arrayidx3.i.inside.i, i32 1 monotonic, align 4, !muxcl.combined !5
//   %44 = add nuw i64 %local.x.inside.i, 1
//   %45 = icmp ult i64 %44, %23
//   br i1 %45, label %items.x.inside.i, label %k.group.exit.loopexit, !llvm.loop !12
//
// k.group.exit.loopexit:                            ; preds = %vector.leave13, %items.x.inside.i
//   br label %k.group.exit
//
// k.group.exit.loopexit3:                           ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   br label %k.group.exit
//
// k.group.exit:                                     ; preds = %k.group.exit.loopexit3, %k.group.exit.loopexit
//   %46 = add nuw i64 %gx, 1
//   %47 = add nuw i64 %0, %6
//   %48 = icmp ult i64 %46, %47
//   br i1 %48, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %49 = add nuw i64 %gy, 1
//   %50 = add nuw i64 %2, %8
//   %51 = icmp ult i64 %49, %50
//   br i1 %51, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %52 = add nuw i64 %gz, 1
//   %53 = add nuw i64 %4, %10
//   %54 = icmp ult i64 %52, %53
//   br i1 %54, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %items.x.i.preheader
//   %55 = sub i64 %23, 0
//   %56 = and i64 %55, -4
//   %57 = icmp eq i64 %56, 0
//   br i1 %57, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %79, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x i1> zeroinitializer, ptr %mask, align 1
//   %58 = trunc i64 %vector to i32
//   %59 = add nuw nsw i32 %24, %58
//   %.splatinsert = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert4 = insertelement <4 x i32> poison, i32 %59, i64 0
//   %.splat5 = shufflevector <4 x i32> %.splatinsert4, <4 x i32> poison, <4 x i32> zeroinitializer
//   %60 = add <4 x i32> %.splat5, <i32 0, i32 1, i32 2, i32 3>
//   %61 = icmp ugt <4 x i32> %.splat, %60
//   %62 = xor <4 x i1> splat (i1 true), %61
//   %63 = load <4 x i1>, ptr %mask, align 1
//   %64 = or <4 x i1> %63, %61
//   store <4 x i1> %64, ptr %mask, align 1
//   %65 = load <4 x i1>, ptr %mask, align 1
//   %66 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %65)
//   store i32 %59, ptr %value, align 4
//   br i1 %66, label %if.then.i.i.v, label %skip
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %67 = load <4 x i1>, ptr %mask, align 1
//   %68 = load i32, ptr %value, align 4
//   %69 = zext i32 %68 to i64
//   %70 = getelementptr i8, ptr addrspace(1) %16, i64 %69
//   %71 = call <4 x i8> @llvm.masked.load.v4i8.p1(ptr addrspace(1) align 1 %70, <4 x i1> %67, <4 x i8> poison), !tbaa !6, !llvm.access.group !7
//   %72 = zext <4 x i8> %71 to <4 x i64>
//   %73 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, <4 x i64> %72
//   %74 = xor <4 x i1> %67, splat (i1 true)
//   %75 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %74)
//   br i1 %75, label %lanes.some, label %lanes.all
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %lanes.done, %skip
//   %76 = add nuw i64 %vector, 1
//   %.splatinsert7 = insertelement <4 x i64> poison, i64 %76, i64 0
//   %.splat8 = shufflevector <4 x i64> %.splatinsert7, <4 x i64> poison, <4 x i32> zeroinitializer
//   %77 = add <4 x i64> %.splat8, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert9 = insertelement <4 x i64> poison, i64 %23, i64 0
//   %.splat10 = shufflevector <4 x i64> %.splatinsert9, <4 x i64> poison, <4 x i32> zeroinitializer
//   %78 = icmp ult <4 x i64> %77, %.splat10
//   %79 = add i64 %vector, 4
//   %80 = sub i64 %79, 0
//   %81 = icmp ult i64 %80, %56
//   br i1 %81, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %82 = add i64 0, %56
//   %83 = icmp ne i64 %56, %55
//   br i1 %83, label %items.x.i, label %k.group.exit.loopexit3
//
// skip:                                             ; preds = %items.x.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// lanes.all:                                        ; preds = %if.then.i.i.v
//   %84 = extractelement <4 x i8> %71, i32 0
//   %85 = zext i8 %84 to i64
//   %86 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %85
//   %87 = atomicrmw volatile add ptr addrspace(1) %86, i32 1 monotonic, align 4, !muxcl.combined !5
//   %88 = extractelement <4 x i8> %71, i32 1
//   %89 = zext i8 %88 to i64
//   %90 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %89
//   %91 = atomicrmw volatile add ptr addrspace(1) %90, i32 1 monotonic, align 4, !muxcl.combined !5
//   %92 = extractelement <4 x i8> %71, i32 2
//   %93 = zext i8 %92 to i64
//   %94 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %93
//   %95 = atomicrmw volatile add ptr addrspace(1) %94, i32 1 monotonic, align 4, !muxcl.combined !5
//   %96 = extractelement <4 x i8> %71, i32 3
//   %97 = zext i8 %96 to i64
//   %98 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %97
//   %99 = atomicrmw volatile add ptr addrspace(1) %98, i32 1 monotonic, align 4, !muxcl.combined !5
//   br label %lanes.done
//
// lanes.some:                                       ; preds = %if.then.i.i.v
//   store <4 x i8> %71, ptr %lanes, align 4
//   %100 = bitcast <4 x i1> %67 to i4
//   %101 = zext i4 %100 to i64
//   br label %lane
//
// lanes.done:                                       ; preds = %lanes.done6, %lanes.all
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// lane:                                             ; preds = %lane.run, %lanes.some
//   %lanes.left = phi i64 [ %101, %lanes.some ], [ %112, %lane.run ]
//   %102 = icmp eq i64 %lanes.left, 0
//   br i1 %102, label %lanes.done6, label %lane.run
//
// lane.run:                                         ; preds = %lane
//   %103 = call i64 @llvm.cttz.i64(i64 %lanes.left, i1 true)
//   %104 = trunc i64 %103 to i32
//   %105 = zext i32 %104 to i64
//   %106 = getelementptr inbounds i8, ptr %lanes, i64 %105
//   %107 = load i8, ptr %106, align 1
//   %108 = zext i8 %107 to i64
//   %109 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %108
//   %110 = atomicrmw volatile add ptr addrspace(1) %109, i32 1 monotonic, align 4, !muxcl.combined !5
//   %111 = sub i64 %lanes.left, 1
//   %112 = and i64 %lanes.left, %111
//   br label %lane
//
// lanes.done6:                                      ; preds = %lane
//   br label %lanes.done
//
// vector.check11:                                   ; preds = %items.x.inside.i.preheader
//   %113 = sub i64 %23, 0
//   %114 = and i64 %113, -4
//   %115 = icmp eq i64 %114, 0
//   br i1 %115, label %items.x.inside.i, label %vector.enter12
//
// vector.enter12:                                   ; preds = %vector.check11
//   br label %items.x.inside.i.v
//
// items.x.inside.i.v:                               ; preds = %items.x.inside.i.v, %vector.enter12
//   %vector14 = phi i64 [ 0, %vector.enter12 ], [ %141, %items.x.inside.i.v ]
//   %116 = add i64 %21, %vector14
//   %117 = and i64 %116, 4294967295
//   %118 = getelementptr inbounds nuw i8, ptr addrspace(1) %16, i64 %117
//   %119 = load <4 x i8>, ptr addrspace(1) %118, align 1, !tbaa !6, !llvm.access.group !7
//   %120 = zext <4 x i8> %119 to <4 x i64>
//   %121 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, <4 x i64> %120
//   %122 = extractelement <4 x i8> %119, i32 0
//   %123 = zext i8 %122 to i64
//   %124 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %123
//   %125 = atomicrmw volatile add ptr addrspace(1) %124, i32 1 monotonic, align 4, !muxcl.combined !5
//   %126 = extractelement <4 x i8> %119, i32 1
//   %127 = zext i8 %126 to i64
//   %128 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %127
//   %129 = atomicrmw volatile add ptr addrspace(1) %128, i32 1 monotonic, align 4, !muxcl.combined !5
//   %130 = extractelement <4 x i8> %119, i32 2
//   %131 = zext i8 %130 to i64
//   %132 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %131
//   %133 = atomicrmw volatile add ptr addrspace(1) %132, i32 1 monotonic, align 4, !muxcl.combined !5
//   %134 = extractelement <4 x i8> %119, i32 3
//   %135 = zext i8 %134 to i64
//   %136 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %135
//   %137 = atomicrmw volatile add ptr addrspace(1) %136, i32 1 monotonic, align 4, !muxcl.combined !5
//   %138 = add nuw i64 %vector14, 1
//   %.splatinsert15 = insertelement <4 x i64> poison, i64 %138, i64 0
//   %.splat16 = shufflevector <4 x i64> %.splatinsert15, <4 x i64> poison, <4 x i32> zeroinitializer
//   %139 = add <4 x i64> %.splat16, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert17 = insertelement <4 x i64> poison, i64 %23, i64 0
//   %.splat18 = shufflevector <4 x i64> %.splatinsert17, <4 x i64> poison, <4 x i32> zeroinitializer
//   %140 = icmp ult <4 x i64> %139, %.splat18
//   %141 = add i64 %vector14, 4
//   %142 = sub i64 %141, 0
//   %143 = icmp ult i64 %142, %114
//   br i1 %143, label %items.x.inside.i.v, label %vector.leave13, !llvm.loop !17
//
// vector.leave13:                                   ; preds = %items.x.inside.i.v
//   %144 = add i64 0, %114
//   %145 = icmp ne i64 %114, %113
//   br i1 %145, label %items.x.inside.i, label %k.group.exit.loopexit
// }
//

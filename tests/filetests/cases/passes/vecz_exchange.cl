//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// Lanes repeat the exchange until it succeeds. The lanes of the mask run it one after another.
kernel void k(global uint *sums, global const uint *in) {
  uint x = get_local_id(0);
  volatile global uint *p = &sums[in[x] & 15];
  uint old;
  do { old = *p; } while (atomic_cmpxchg(p, old, old * 3) != old);
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %lanes7 = alloca <4 x i32>, align 16
//   %lanes6 = alloca <4 x i32>, align 16
//   %lanes5 = alloca <4 x ptr addrspace(1)>, align 32
//   %lanes4 = alloca <4 x i32>, align 16
//   %lanes3 = alloca <4 x i32>, align 16
//   %lanes2 = alloca <4 x ptr addrspace(1)>, align 32
//   %lanes = alloca <4 x i32>, align 16
//   %value = alloca <4 x ptr addrspace(1)>, align 32
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
//   %12 = load ptr, ptr %11, align 8, !invariant.load !5
//   %13 = load i64, ptr %12, align 8, !invariant.load !5
//   %14 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %15 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %16 = load ptr addrspace(1), ptr %15, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %31, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %28, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %25, %k.group.exit ]
//   %17 = shl nuw i64 %gx, 6
//   %18 = sub i64 %13, %17
//   %19 = call i64 @llvm.umin.i64(i64 %18, i64 64)
//   br label %vector.check
//
// do.body.i.i:                                      ; preds = %do.body.i.i, %items.x.i
//   %20 = load volatile i32, ptr addrspace(1) %arrayidx2.i.i, align 4, !tbaa !1
//   %mul.i.i = mul i32 %20, 3
//   %21 = cmpxchg volatile ptr addrspace(1) %arrayidx2.i.i, i32 %20, i32 %mul.i.i monotonic monotonic, align 4
//   %cmp.i.not.i = extractvalue { i32, i1 } %21, 1
//   br i1 %cmp.i.not.i, label %__clang_ocl_kern_imp_k.exit.i, label %do.body.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %do.body.i.i
//   %22 = add nuw i64 %local.x.i, 1
//   %23 = icmp ult i64 %22, %19
//   br i1 %23, label %items.x.i, label %k.group.exit, !llvm.loop !6
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %22, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %53, %vector.leave ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %idxprom.i.i
//   %24 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !10
//   %and.i.i = and i32 %24, 15
//   %idxprom1.i.i = zext nneg i32 %and.i.i to i64
//   %arrayidx2.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom1.i.i
//   br label %do.body.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %25 = add nuw i64 %gx, 1
//   %26 = add nuw i64 %0, %6
//   %27 = icmp ult i64 %25, %26
//   br i1 %27, label %group.x, label %group.next, !llvm.loop !11
//
// group.next:                                       ; preds = %k.group.exit
//   %28 = add nuw i64 %gy, 1
//   %29 = add nuw i64 %2, %8
//   %30 = icmp ult i64 %28, %29
//   br i1 %30, label %group.y, label %group.next1, !llvm.loop !12
//
// group.next1:                                      ; preds = %group.next
//   %31 = add nuw i64 %gz, 1
//   %32 = add nuw i64 %4, %10
//   %33 = icmp ult i64 %31, %32
//   br i1 %33, label %group.z, label %exit, !llvm.loop !13
//
// vector.check:                                     ; preds = %group.x
//   %34 = sub i64 %19, 0
//   %35 = and i64 %34, -4
//   %36 = icmp eq i64 %35, 0
//   br i1 %36, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %50, %__clang_ocl_kern_imp_k.exit.i.v ]
//   %37 = and i64 %vector, 4294967295
//   %38 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %37
//   %39 = load <4 x i32>, ptr addrspace(1) %38, align 4, !tbaa !1, !llvm.access.group !10
//   %40 = and <4 x i32> %39, splat (i32 15)
//   %41 = zext nneg <4 x i32> %40 to <4 x i64>
//   %42 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, <4 x i64> %41
//   store <4 x i1> splat (i1 true), ptr %mask, align 1
//   store <4 x ptr addrspace(1)> %42, ptr %value, align 32
//   br label %do.body.i.i.v
//
// do.body.i.i.v:                                    ; preds = %lanes.done10, %items.x.i.v
//   %43 = load <4 x i1>, ptr %mask, align 1
//   %44 = load <4 x ptr addrspace(1)>, ptr %value, align 32
//   store <4 x ptr addrspace(1)> %44, ptr %lanes2, align 32
//   %45 = bitcast <4 x i1> %43 to i4
//   %46 = zext i4 %45 to i64
//   br label %lane
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %loop.done
//   %47 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <4 x i64> poison, i64 %47, i64 0
//   %.splat = shufflevector <4 x i64> %.splatinsert, <4 x i64> poison, <4 x i32> zeroinitializer
//   %48 = add <4 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert12 = insertelement <4 x i64> poison, i64 %19, i64 0
//   %.splat13 = shufflevector <4 x i64> %.splatinsert12, <4 x i64> poison, <4 x i32> zeroinitializer
//   %49 = icmp ult <4 x i64> %48, %.splat13
//   %50 = add i64 %vector, 4
//   %51 = sub i64 %50, 0
//   %52 = icmp ult i64 %51, %35
//   br i1 %52, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %53 = add i64 0, %35
//   %54 = icmp ne i64 %35, %34
//   br i1 %54, label %items.x.i, label %k.group.exit
//
// lane:                                             ; preds = %lane.run, %do.body.i.i.v
//   %lanes.left = phi i64 [ %46, %do.body.i.i.v ], [ %65, %lane.run ]
//   %55 = icmp eq i64 %lanes.left, 0
//   br i1 %55, label %lanes.done, label %lane.run
//
// lane.run:                                         ; preds = %lane
//   %56 = call i64 @llvm.cttz.i64(i64 %lanes.left, i1 true)
//   %57 = trunc i64 %56 to i32
//   %58 = zext i32 %57 to i64
//   %59 = getelementptr inbounds ptr addrspace(1), ptr %lanes2, i64 %58
//   %60 = load ptr addrspace(1), ptr %59, align 8
//   %61 = load volatile i32, ptr addrspace(1) %60, align 4, !tbaa !1
//   %62 = zext i32 %57 to i64
//   %63 = getelementptr inbounds i32, ptr %lanes, i64 %62
//   store i32 %61, ptr %63, align 4
//   %64 = sub i64 %lanes.left, 1
//   %65 = and i64 %lanes.left, %64
//   br label %lane
//
// lanes.done:                                       ; preds = %lane
//   %66 = load <4 x i32>, ptr %lanes, align 16
//   %67 = mul <4 x i32> %66, splat (i32 3)
//   store <4 x ptr addrspace(1)> %44, ptr %lanes5, align 32
//   store <4 x i32> %66, ptr %lanes6, align 16
//   store <4 x i32> %67, ptr %lanes7, align 16
//   %68 = bitcast <4 x i1> %43 to i4
//   %69 = zext i4 %68 to i64
//   br label %lane8
//
// lane8:                                            ; preds = %lane.run9, %lanes.done
//   %lanes.left11 = phi i64 [ %69, %lanes.done ], [ %91, %lane.run9 ]
//   %70 = icmp eq i64 %lanes.left11, 0
//   br i1 %70, label %lanes.done10, label %lane.run9
//
// lane.run9:                                        ; preds = %lane8
//   %71 = call i64 @llvm.cttz.i64(i64 %lanes.left11, i1 true)
//   %72 = trunc i64 %71 to i32
//   %73 = zext i32 %72 to i64
//   %74 = getelementptr inbounds ptr addrspace(1), ptr %lanes5, i64 %73
//   %75 = load ptr addrspace(1), ptr %74, align 8
//   %76 = zext i32 %72 to i64
//   %77 = getelementptr inbounds i32, ptr %lanes6, i64 %76
//   %78 = load i32, ptr %77, align 4
//   %79 = zext i32 %72 to i64
//   %80 = getelementptr inbounds i32, ptr %lanes7, i64 %79
//   %81 = load i32, ptr %80, align 4
//   %82 = cmpxchg volatile ptr addrspace(1) %75, i32 %78, i32 %81 monotonic monotonic, align 4
//   %83 = extractvalue { i32, i1 } %82, 0
//   %84 = zext i32 %72 to i64
//   %85 = getelementptr inbounds i32, ptr %lanes3, i64 %84
//   store i32 %83, ptr %85, align 4
//   %86 = extractvalue { i32, i1 } %82, 1
//   %87 = zext i1 %86 to i32
//   %88 = zext i32 %72 to i64
//   %89 = getelementptr inbounds i32, ptr %lanes4, i64 %88
//   store i32 %87, ptr %89, align 4
//   %90 = sub i64 %lanes.left11, 1
//   %91 = and i64 %lanes.left11, %90
//   br label %lane8
//
// lanes.done10:                                     ; preds = %lane8
//   %92 = load <4 x i32>, ptr %lanes3, align 16
//   %93 = load <4 x i32>, ptr %lanes4, align 16
//   %94 = icmp ne <4 x i32> %93, zeroinitializer
//   %95 = select <4 x i1> %43, <4 x i1> %94, <4 x i1> zeroinitializer
//   %96 = xor <4 x i1> %43, %95
//   store <4 x i1> %96, ptr %mask, align 1
//   %97 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %96)
//   br i1 %97, label %do.body.i.i.v, label %loop.done
//
// loop.done:                                        ; preds = %lanes.done10
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//

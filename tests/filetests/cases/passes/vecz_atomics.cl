//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// Lanes that add to one address add once, and get the sums of the lanes before them. Lanes that
// subtract from addresses of their own do so one after another.
kernel void k(global const int *in, global int *out, global int *counts) {
  uint x = get_local_id(0);
  if (in[x] > 0) out[atomic_add(counts, in[x])] = x;
  atomic_max(counts + 1, in[x]);
  atomic_sub(counts + in[x], 1);
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value4 = alloca ptr addrspace(1), align 8
//   %value = alloca <4 x i32>, align 16
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
//   %17 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %18 = load ptr addrspace(1), ptr %17, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %37, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %34, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %31, %k.group.exit ]
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   br label %vector.check
//
// if.then.i.i:                                      ; preds = %items.x.i
//   %22 = trunc i64 %local.x.i to i32
//   %23 = atomicrmw volatile add ptr addrspace(1) %18, i32 %30 monotonic, align 4
//   %idxprom5.i.i = sext i32 %23 to i64
//   %arrayidx6.i.i = getelementptr inbounds i32, ptr addrspace(1) %16, i64 %idxprom5.i.i
//   store i32 %22, ptr addrspace(1) %arrayidx6.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.then.i.i, %items.x.i
//   %add.ptr.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %18, i64 4
//   %24 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %25 = atomicrmw volatile max ptr addrspace(1) %add.ptr.i.i, i32 %24 monotonic, align 4
//   %26 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %idx.ext.i.i = sext i32 %26 to i64
//   %add.ptr12.i.i = getelementptr inbounds i32, ptr addrspace(1) %18, i64 %idx.ext.i.i
//   %27 = atomicrmw volatile sub ptr addrspace(1) %add.ptr12.i.i, i32 1 monotonic, align 4
//   %28 = add nuw i64 %local.x.i, 1
//   %29 = icmp ult i64 %28, %21
//   br i1 %29, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %28, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %87, %vector.leave ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %30 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %cmp.i.i = icmp sgt i32 %30, 0
//   br i1 %cmp.i.i, label %if.then.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %31 = add nuw i64 %gx, 1
//   %32 = add nuw i64 %0, %6
//   %33 = icmp ult i64 %31, %32
//   br i1 %33, label %group.x, label %group.next, !llvm.loop !11
//
// group.next:                                       ; preds = %k.group.exit
//   %34 = add nuw i64 %gy, 1
//   %35 = add nuw i64 %2, %8
//   %36 = icmp ult i64 %34, %35
//   br i1 %36, label %group.y, label %group.next1, !llvm.loop !12
//
// group.next1:                                      ; preds = %group.next
//   %37 = add nuw i64 %gz, 1
//   %38 = add nuw i64 %4, %10
//   %39 = icmp ult i64 %37, %38
//   br i1 %39, label %group.z, label %exit, !llvm.loop !13
//
// vector.check:                                     ; preds = %group.x
//   %40 = sub i64 %21, 0
//   %41 = and i64 %40, -4
//   %42 = icmp eq i64 %41, 0
//   br i1 %42, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %84, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x i1> zeroinitializer, ptr %mask, align 1
//   %43 = and i64 %vector, 4294967295
//   %44 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %43
//   %45 = load <4 x i32>, ptr addrspace(1) %44, align 4, !tbaa !1, !llvm.access.group !6
//   %46 = icmp sgt <4 x i32> %45, zeroinitializer
//   %47 = xor <4 x i1> splat (i1 true), %46
//   %48 = load <4 x i1>, ptr %mask, align 1
//   %49 = or <4 x i1> %48, %46
//   store <4 x i1> %49, ptr %mask, align 1
//   %50 = load <4 x i1>, ptr %mask, align 1
//   %51 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %50)
//   store <4 x i32> %45, ptr %value, align 16
//   store ptr addrspace(1) %44, ptr %value4, align 8
//   br i1 %51, label %if.then.i.i.v, label %skip
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %52 = load <4 x i1>, ptr %mask, align 1
//   %53 = trunc i64 %vector to i32
//   %54 = load <4 x i32>, ptr %value, align 16
//   %55 = select <4 x i1> %52, <4 x i32> %54, <4 x i32> zeroinitializer
//   %56 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %52)
//   br i1 %56, label %combined, label %combined.done
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %combined.done, %skip
//   %57 = getelementptr inbounds nuw i8, ptr addrspace(1) %18, i64 4
//   %58 = load ptr addrspace(1), ptr %value4, align 8
//   %59 = load <4 x i32>, ptr addrspace(1) %58, align 4, !tbaa !1, !llvm.access.group !6
//   %60 = call i32 @llvm.vector.reduce.smax.v4i32(<4 x i32> %59)
//   %61 = atomicrmw volatile max ptr addrspace(1) %57, i32 %60 monotonic, align 4
//   %62 = load <4 x i32>, ptr addrspace(1) %58, align 4, !tbaa !1, !llvm.access.group !6
//   %63 = sext <4 x i32> %62 to <4 x i64>
//   %64 = getelementptr inbounds i32, ptr addrspace(1) %18, <4 x i64> %63
//   %65 = extractelement <4 x i32> %62, i32 0
//   %66 = sext i32 %65 to i64
//   %67 = getelementptr inbounds i32, ptr addrspace(1) %18, i64 %66
//   %68 = atomicrmw volatile sub ptr addrspace(1) %67, i32 1 monotonic, align 4
//   %69 = extractelement <4 x i32> %62, i32 1
//   %70 = sext i32 %69 to i64
//   %71 = getelementptr inbounds i32, ptr addrspace(1) %18, i64 %70
//   %72 = atomicrmw volatile sub ptr addrspace(1) %71, i32 1 monotonic, align 4
//   %73 = extractelement <4 x i32> %62, i32 2
//   %74 = sext i32 %73 to i64
//   %75 = getelementptr inbounds i32, ptr addrspace(1) %18, i64 %74
//   %76 = atomicrmw volatile sub ptr addrspace(1) %75, i32 1 monotonic, align 4
//   %77 = extractelement <4 x i32> %62, i32 3
//   %78 = sext i32 %77 to i64
//   %79 = getelementptr inbounds i32, ptr addrspace(1) %18, i64 %78
//   %80 = atomicrmw volatile sub ptr addrspace(1) %79, i32 1 monotonic, align 4
//   %81 = add nuw i64 %vector, 1
//   %.splatinsert5 = insertelement <4 x i64> poison, i64 %81, i64 0
//   %.splat6 = shufflevector <4 x i64> %.splatinsert5, <4 x i64> poison, <4 x i32> zeroinitializer
//   %82 = add <4 x i64> %.splat6, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert7 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat8 = shufflevector <4 x i64> %.splatinsert7, <4 x i64> poison, <4 x i32> zeroinitializer
//   %83 = icmp ult <4 x i64> %82, %.splat8
//   %84 = add i64 %vector, 4
//   %85 = sub i64 %84, 0
//   %86 = icmp ult i64 %85, %41
//   br i1 %86, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %87 = add i64 0, %41
//   %88 = icmp ne i64 %41, %40
//   br i1 %88, label %items.x.i, label %k.group.exit
//
// skip:                                             ; preds = %items.x.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// combined:                                         ; preds = %if.then.i.i.v
//   %89 = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %55)
//   %90 = atomicrmw volatile add ptr addrspace(1) %18, i32 %89 monotonic, align 4
//   br label %combined.done
//
// combined.done:                                    ; preds = %combined, %if.then.i.i.v
//   %old = phi i32 [ poison, %if.then.i.i.v ], [ %90, %combined ]
//   %91 = shufflevector <4 x i32> %55, <4 x i32> zeroinitializer, <4 x i32> <i32 4, i32 0, i32 1, i32 2>
//   %92 = shufflevector <4 x i32> %91, <4 x i32> zeroinitializer, <4 x i32> <i32 4, i32 0, i32 1, i32 2>
//   %93 = add <4 x i32> %91, %92
//   %94 = shufflevector <4 x i32> %93, <4 x i32> zeroinitializer, <4 x i32> <i32 4, i32 4, i32 0, i32 1>
//   %95 = add <4 x i32> %93, %94
//   %.splatinsert = insertelement <4 x i32> poison, i32 %old, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %96 = add <4 x i32> %.splat, %95
//   %97 = sext <4 x i32> %96 to <4 x i64>
//   %98 = getelementptr inbounds i32, ptr addrspace(1) %16, <4 x i64> %97
//   %.splatinsert2 = insertelement <4 x i32> poison, i32 %53, i64 0
//   %.splat3 = shufflevector <4 x i32> %.splatinsert2, <4 x i32> poison, <4 x i32> zeroinitializer
//   %99 = add <4 x i32> %.splat3, <i32 0, i32 1, i32 2, i32 3>
//   call void @llvm.masked.scatter.v4i32.v4p1(<4 x i32> %99, <4 x ptr addrspace(1)> align 4 %98, <4 x i1> %52), !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//

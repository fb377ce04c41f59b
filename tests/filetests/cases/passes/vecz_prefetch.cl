//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 16
// From one iteration to the next, the address of `in` moves by the global size, which is unknown,
// that of `rows` by 16 KiB, and that of `near` by 4 bytes. The first two loads get prefetches.
kernel void k(global const uint *in, global const uint *rows, global const uint *near, ulong n) {
  local uint count[256];
  uint sum = 0;
  for (size_t i = get_global_id(0), j = 0; i < n; i += get_global_size(0), j++) {
    atomic_inc(&count[(in[i] + near[get_local_id(0) + j]) & 255]);
    atomic_xor(&count[rows[4096 * j + get_local_id(0)] & 255], i);
  }
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %lanes11 = alloca <16 x i32>, align 64
//   %lanes = alloca <16 x i32>, align 64
//   %value6 = alloca i64, align 8
//   %value = alloca i64, align 8
//   %phi3 = alloca i64, align 8
//   %phi = alloca i64, align 8
//   %mask2 = alloca <16 x i1>, align 2
//   %mask = alloca <16 x i1>, align 2
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
//   %14 = getelementptr inbounds nuw i8, ptr %12, i64 24
//   %15 = load ptr addrspace(3), ptr %14, align 8, !invariant.load !5
//   %16 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %17 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %18 = load ptr addrspace(1), ptr %17, align 8, !invariant.load !5
//   %19 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %20 = load ptr addrspace(1), ptr %19, align 8, !invariant.load !5
//   %21 = getelementptr inbounds nuw i8, ptr %packed, i64 24
//   %22 = load i64, ptr %21, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %42, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %39, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %36, %k.group.exit ]
//   %23 = shl nuw i64 %gx, 6
//   %24 = sub i64 %13, %23
//   %25 = call i64 @llvm.umin.i64(i64 %24, i64 64)
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %j.i.0.i = phi i64 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %i.i.0.i = phi i64 [ %35, %items.x.i ], [ %add14.i.i, %for.body.i.i ]
//   %cmp.i.i = icmp ult i64 %i.i.0.i, %22
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %i.i.0.i
//   %26 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %27 = getelementptr i32, ptr addrspace(1) %20, i64 %local.x.i
//   %arrayidx2.i.i = getelementptr i32, ptr addrspace(1) %27, i64 %j.i.0.i
//   %28 = load i32, ptr addrspace(1) %arrayidx2.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %add3.i.i = add i32 %26, %28
//   %and.i.i = and i32 %add3.i.i, 255
//   %idxprom.i.i = zext nneg i32 %and.i.i to i64
//   %arrayidx4.i.i = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %idxprom.i.i
//   %29 = atomicrmw volatile add ptr addrspace(3) %arrayidx4.i.i, i32 1 monotonic, align 4
//   %.idx.i = shl i64 %j.i.0.i, 14
//   %30 = getelementptr i8, ptr addrspace(1) %18, i64 %.idx.i
//   %arrayidx8.i.i = getelementptr i32, ptr addrspace(1) %30, i64 %local.x.i
//   %31 = load i32, ptr addrspace(1) %arrayidx8.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %and9.i.i = and i32 %31, 255
//   %idxprom10.i.i = zext nneg i32 %and9.i.i to i64
//   %arrayidx11.i.i = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %idxprom10.i.i
//   %conv.i.i = trunc i64 %i.i.0.i to i32
//   %32 = atomicrmw volatile xor ptr addrspace(3) %arrayidx11.i.i, i32 %conv.i.i monotonic, align 4
//   %add14.i.i = add i64 %i.i.0.i, %13
//   %inc.i.i = add i64 %j.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %33 = add nuw i64 %local.x.i, 1
//   %34 = icmp ult i64 %33, %25
//   br i1 %34, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %33, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %83, %vector.leave ]
//   %35 = add nuw nsw i64 %23, %local.x.i
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %36 = add nuw i64 %gx, 1
//   %37 = add nuw i64 %0, %6
//   %38 = icmp ult i64 %36, %37
//   br i1 %38, label %group.x, label %group.next, !llvm.loop !11
//
// group.next:                                       ; preds = %k.group.exit
//   %39 = add nuw i64 %gy, 1
//   %40 = add nuw i64 %2, %8
//   %41 = icmp ult i64 %39, %40
//   br i1 %41, label %group.y, label %group.next1, !llvm.loop !12
//
// group.next1:                                      ; preds = %group.next
//   %42 = add nuw i64 %gz, 1
//   %43 = add nuw i64 %4, %10
//   %44 = icmp ult i64 %42, %43
//   br i1 %44, label %group.z, label %exit, !llvm.loop !13
//
// vector.check:                                     ; preds = %group.x
//   %45 = sub i64 %25, 0
//   %46 = and i64 %45, -16
//   %47 = icmp eq i64 %46, 0
//   br i1 %47, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %80, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i64 poison, ptr %phi, align 8
//   store i64 poison, ptr %phi3, align 8
//   %48 = add nuw nsw i64 %23, %vector
//   store i64 0, ptr %phi, align 8
//   store i64 %48, ptr %phi3, align 8
//   store <16 x i1> splat (i1 true), ptr %mask, align 2
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %lanes.done10, %items.x.i.v
//   %49 = load <16 x i1>, ptr %mask, align 2
//   store <16 x i1> zeroinitializer, ptr %mask2, align 2
//   %50 = load i64, ptr %phi, align 8
//   %51 = load i64, ptr %phi3, align 8
//   %.splatinsert = insertelement <16 x i64> poison, i64 %51, i64 0
//   %.splat = shufflevector <16 x i64> %.splatinsert, <16 x i64> poison, <16 x i32> zeroinitializer
//   %52 = add <16 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
//   %.splatinsert4 = insertelement <16 x i64> poison, i64 %22, i64 0
//   %.splat5 = shufflevector <16 x i64> %.splatinsert4, <16 x i64> poison, <16 x i32> zeroinitializer
//   %53 = icmp ult <16 x i64> %52, %.splat5
//   %54 = select <16 x i1> %49, <16 x i1> %53, <16 x i1> zeroinitializer
//   %55 = xor <16 x i1> %49, %54
//   %56 = load <16 x i1>, ptr %mask2, align 2
//   %57 = or <16 x i1> %56, %54
//   store <16 x i1> %57, ptr %mask2, align 2
//   %58 = load <16 x i1>, ptr %mask2, align 2
//   %59 = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %58)
//   store i64 %51, ptr %value, align 8
//   store i64 %50, ptr %value6, align 8
//   br i1 %59, label %for.body.i.i.v, label %skip
//
// for.body.i.i.v:                                   ; preds = %for.cond.i.i.v
//   %60 = load <16 x i1>, ptr %mask2, align 2
//   %61 = load i64, ptr %value, align 8
//   %62 = getelementptr i32, ptr addrspace(1) %16, i64 %61
//   %63 = call <16 x i32> @llvm.masked.load.v16i32.p1(ptr addrspace(1) align 4 %62, <16 x i1> %60, <16 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %64 = mul i64 %13, 16
//   %65 = getelementptr i8, ptr addrspace(1) %62, i64 %64
//   %66 = getelementptr i8, ptr addrspace(1) %65, i64 0
//   call void @llvm.prefetch.p1(ptr addrspace(1) %66, i32 0, i32 3, i32 1)
//   %67 = getelementptr i32, ptr addrspace(1) %20, i64 %vector
//   %68 = load i64, ptr %value6, align 8
//   %69 = getelementptr i32, ptr addrspace(1) %67, i64 %68
//   %70 = call <16 x i32> @llvm.masked.load.v16i32.p1(ptr addrspace(1) align 4 %69, <16 x i1> %60, <16 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %71 = add <16 x i32> %63, %70
//   %72 = and <16 x i32> %71, splat (i32 255)
//   %73 = zext nneg <16 x i32> %72 to <16 x i64>
//   %74 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, <16 x i64> %73
//   %75 = xor <16 x i1> %60, splat (i1 true)
//   %76 = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %75)
//   br i1 %76, label %lanes.some, label %lanes.all
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %loop.done, %skip
//   %77 = add nuw i64 %vector, 1
//   %.splatinsert16 = insertelement <16 x i64> poison, i64 %77, i64 0
//   %.splat17 = shufflevector <16 x i64> %.splatinsert16, <16 x i64> poison, <16 x i32> zeroinitializer
//   %78 = add <16 x i64> %.splat17, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
//   %.splatinsert18 = insertelement <16 x i64> poison, i64 %25, i64 0
//   %.splat19 = shufflevector <16 x i64> %.splatinsert18, <16 x i64> poison, <16 x i32> zeroinitializer
//   %79 = icmp ult <16 x i64> %78, %.splat19
//   %80 = add i64 %vector, 16
//   %81 = sub i64 %80, 0
//   %82 = icmp ult i64 %81, %46
//   br i1 %82, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %83 = add i64 0, %46
//   %84 = icmp ne i64 %46, %45
//   br i1 %84, label %items.x.i, label %k.group.exit
//
// skip:                                             ; preds = %for.cond.i.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// lanes.all:                                        ; preds = %for.body.i.i.v
//   %85 = extractelement <16 x i32> %72, i32 0
//   %86 = zext nneg i32 %85 to i64
//   %87 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %86
//   %88 = atomicrmw volatile add ptr addrspace(3) %87, i32 1 monotonic, align 4
//   %89 = extractelement <16 x i32> %72, i32 1
//   %90 = zext nneg i32 %89 to i64
//   %91 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %90
//   %92 = atomicrmw volatile add ptr addrspace(3) %91, i32 1 monotonic, align 4
//   %93 = extractelement <16 x i32> %72, i32 2
//   %94 = zext nneg i32 %93 to i64
//   %95 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %94
//   %96 = atomicrmw volatile add ptr addrspace(3) %95, i32 1 monotonic, align 4
//   %97 = extractelement <16 x i32> %72, i32 3
//   %98 = zext nneg i32 %97 to i64
//   %99 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %98
//   %100 = atomicrmw volatile add ptr addrspace(3) %99, i32 1 monotonic, align 4
//   %101 = extractelement <16 x i32> %72, i32 4
//   %102 = zext nneg i32 %101 to i64
//   %103 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %102
//   %104 = atomicrmw volatile add ptr addrspace(3) %103, i32 1 monotonic, align 4
//   %105 = extractelement <16 x i32> %72, i32 5
//   %106 = zext nneg i32 %105 to i64
//   %107 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %106
//   %108 = atomicrmw volatile add ptr addrspace(3) %107, i32 1 monotonic, align 4
//   %109 = extractelement <16 x i32> %72, i32 6
//   %110 = zext nneg i32 %109 to i64
//   %111 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %110
//   %112 = atomicrmw volatile add ptr addrspace(3) %111, i32 1 monotonic, align 4
//   %113 = extractelement <16 x i32> %72, i32 7
//   %114 = zext nneg i32 %113 to i64
//   %115 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %114
//   %116 = atomicrmw volatile add ptr addrspace(3) %115, i32 1 monotonic, align 4
//   %117 = extractelement <16 x i32> %72, i32 8
//   %118 = zext nneg i32 %117 to i64
//   %119 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %118
//   %120 = atomicrmw volatile add ptr addrspace(3) %119, i32 1 monotonic, align 4
//   %121 = extractelement <16 x i32> %72, i32 9
//   %122 = zext nneg i32 %121 to i64
//   %123 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %122
//   %124 = atomicrmw volatile add ptr addrspace(3) %123, i32 1 monotonic, align 4
//   %125 = extractelement <16 x i32> %72, i32 10
//   %126 = zext nneg i32 %125 to i64
//   %127 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %126
//   %128 = atomicrmw volatile add ptr addrspace(3) %127, i32 1 monotonic, align 4
//   %129 = extractelement <16 x i32> %72, i32 11
//   %130 = zext nneg i32 %129 to i64
//   %131 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %130
//   %132 = atomicrmw volatile add ptr addrspace(3) %131, i32 1 monotonic, align 4
//   %133 = extractelement <16 x i32> %72, i32 12
//   %134 = zext nneg i32 %133 to i64
//   %135 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %134
//   %136 = atomicrmw volatile add ptr addrspace(3) %135, i32 1 monotonic, align 4
//   %137 = extractelement <16 x i32> %72, i32 13
//   %138 = zext nneg i32 %137 to i64
//   %139 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %138
//   %140 = atomicrmw volatile add ptr addrspace(3) %139, i32 1 monotonic, align 4
//   %141 = extractelement <16 x i32> %72, i32 14
//   %142 = zext nneg i32 %141 to i64
//   %143 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %142
//   %144 = atomicrmw volatile add ptr addrspace(3) %143, i32 1 monotonic, align 4
//   %145 = extractelement <16 x i32> %72, i32 15
//   %146 = zext nneg i32 %145 to i64
//   %147 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %146
//   %148 = atomicrmw volatile add ptr addrspace(3) %147, i32 1 monotonic, align 4
//   br label %lanes.done
//
// lanes.some:                                       ; preds = %for.body.i.i.v
//   store <16 x i32> %72, ptr %lanes, align 64
//   %149 = bitcast <16 x i1> %60 to i16
//   %150 = zext i16 %149 to i64
//   br label %lane
//
// lanes.done:                                       ; preds = %lanes.done7, %lanes.all
//   %151 = shl i64 %68, 14
//   %152 = getelementptr i8, ptr addrspace(1) %18, i64 %151
//   %153 = getelementptr i32, ptr addrspace(1) %152, i64 %vector
//   %154 = call <16 x i32> @llvm.masked.load.v16i32.p1(ptr addrspace(1) align 4 %153, <16 x i1> %60, <16 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %155 = getelementptr i8, ptr addrspace(1) %153, i64 65536
//   %156 = getelementptr i8, ptr addrspace(1) %155, i64 0
//   call void @llvm.prefetch.p1(ptr addrspace(1) %156, i32 0, i32 3, i32 1)
//   %157 = and <16 x i32> %154, splat (i32 255)
//   %158 = zext nneg <16 x i32> %157 to <16 x i64>
//   %159 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, <16 x i64> %158
//   %160 = trunc i64 %61 to i32
//   %161 = xor <16 x i1> %60, splat (i1 true)
//   %162 = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %161)
//   br i1 %162, label %lanes.some9, label %lanes.all8
//
// lane:                                             ; preds = %lane.run, %lanes.some
//   %lanes.left = phi i64 [ %150, %lanes.some ], [ %173, %lane.run ]
//   %163 = icmp eq i64 %lanes.left, 0
//   br i1 %163, label %lanes.done7, label %lane.run
//
// lane.run:                                         ; preds = %lane
//   %164 = call i64 @llvm.cttz.i64(i64 %lanes.left, i1 true)
//   %165 = trunc i64 %164 to i32
//   %166 = zext i32 %165 to i64
//   %167 = getelementptr inbounds i32, ptr %lanes, i64 %166
//   %168 = load i32, ptr %167, align 4
//   %169 = zext nneg i32 %168 to i64
//   %170 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %169
//   %171 = atomicrmw volatile add ptr addrspace(3) %170, i32 1 monotonic, align 4
//   %172 = sub i64 %lanes.left, 1
//   %173 = and i64 %lanes.left, %172
//   br label %lane
//
// lanes.done7:                                      ; preds = %lane
//   br label %lanes.done
//
// lanes.all8:                                       ; preds = %lanes.done
//   %174 = extractelement <16 x i32> %157, i32 0
//   %175 = add i32 %160, 0
//   %176 = zext nneg i32 %174 to i64
//   %177 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %176
//   %178 = atomicrmw volatile xor ptr addrspace(3) %177, i32 %175 monotonic, align 4
//   %179 = extractelement <16 x i32> %157, i32 1
//   %180 = add i32 %160, 1
//   %181 = zext nneg i32 %179 to i64
//   %182 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %181
//   %183 = atomicrmw volatile xor ptr addrspace(3) %182, i32 %180 monotonic, align 4
//   %184 = extractelement <16 x i32> %157, i32 2
//   %185 = add i32 %160, 2
//   %186 = zext nneg i32 %184 to i64
//   %187 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %186
//   %188 = atomicrmw volatile xor ptr addrspace(3) %187, i32 %185 monotonic, align 4
//   %189 = extractelement <16 x i32> %157, i32 3
//   %190 = add i32 %160, 3
//   %191 = zext nneg i32 %189 to i64
//   %192 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %191
//   %193 = atomicrmw volatile xor ptr addrspace(3) %192, i32 %190 monotonic, align 4
//   %194 = extractelement <16 x i32> %157, i32 4
//   %195 = add i32 %160, 4
//   %196 = zext nneg i32 %194 to i64
//   %197 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %196
//   %198 = atomicrmw volatile xor ptr addrspace(3) %197, i32 %195 monotonic, align 4
//   %199 = extractelement <16 x i32> %157, i32 5
//   %200 = add i32 %160, 5
//   %201 = zext nneg i32 %199 to i64
//   %202 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %201
//   %203 = atomicrmw volatile xor ptr addrspace(3) %202, i32 %200 monotonic, align 4
//   %204 = extractelement <16 x i32> %157, i32 6
//   %205 = add i32 %160, 6
//   %206 = zext nneg i32 %204 to i64
//   %207 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %206
//   %208 = atomicrmw volatile xor ptr addrspace(3) %207, i32 %205 monotonic, align 4
//   %209 = extractelement <16 x i32> %157, i32 7
//   %210 = add i32 %160, 7
//   %211 = zext nneg i32 %209 to i64
//   %212 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %211
//   %213 = atomicrmw volatile xor ptr addrspace(3) %212, i32 %210 monotonic, align 4
//   %214 = extractelement <16 x i32> %157, i32 8
//   %215 = add i32 %160, 8
//   %216 = zext nneg i32 %214 to i64
//   %217 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %216
//   %218 = atomicrmw volatile xor ptr addrspace(3) %217, i32 %215 monotonic, align 4
//   %219 = extractelement <16 x i32> %157, i32 9
//   %220 = add i32 %160, 9
//   %221 = zext nneg i32 %219 to i64
//   %222 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %221
//   %223 = atomicrmw volatile xor ptr addrspace(3) %222, i32 %220 monotonic, align 4
//   %224 = extractelement <16 x i32> %157, i32 10
//   %225 = add i32 %160, 10
//   %226 = zext nneg i32 %224 to i64
//   %227 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %226
//   %228 = atomicrmw volatile xor ptr addrspace(3) %227, i32 %225 monotonic, align 4
//   %229 = extractelement <16 x i32> %157, i32 11
//   %230 = add i32 %160, 11
//   %231 = zext nneg i32 %229 to i64
//   %232 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %231
//   %233 = atomicrmw volatile xor ptr addrspace(3) %232, i32 %230 monotonic, align 4
//   %234 = extractelement <16 x i32> %157, i32 12
//   %235 = add i32 %160, 12
//   %236 = zext nneg i32 %234 to i64
//   %237 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %236
//   %238 = atomicrmw volatile xor ptr addrspace(3) %237, i32 %235 monotonic, align 4
//   %239 = extractelement <16 x i32> %157, i32 13
//   %240 = add i32 %160, 13
//   %241 = zext nneg i32 %239 to i64
//   %242 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %241
//   %243 = atomicrmw volatile xor ptr addrspace(3) %242, i32 %240 monotonic, align 4
//   %244 = extractelement <16 x i32> %157, i32 14
//   %245 = add i32 %160, 14
//   %246 = zext nneg i32 %244 to i64
//   %247 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %246
//   %248 = atomicrmw volatile xor ptr addrspace(3) %247, i32 %245 monotonic, align 4
//   %249 = extractelement <16 x i32> %157, i32 15
//   %250 = add i32 %160, 15
//   %251 = zext nneg i32 %249 to i64
//   %252 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %251
//   %253 = atomicrmw volatile xor ptr addrspace(3) %252, i32 %250 monotonic, align 4
//   br label %lanes.done10
//
// lanes.some9:                                      ; preds = %lanes.done
//   store <16 x i32> %157, ptr %lanes11, align 64
//   %254 = bitcast <16 x i1> %60 to i16
//   %255 = zext i16 %254 to i64
//   br label %lane12
//
// lanes.done10:                                     ; preds = %lanes.done14, %lanes.all8
//   %256 = add i64 %61, %13
//   %257 = add i64 %68, 1
//   store i64 %257, ptr %phi, align 8
//   store i64 %256, ptr %phi3, align 8
//   store <16 x i1> %60, ptr %mask, align 2
//   %258 = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %60)
//   br i1 %258, label %for.cond.i.i.v, label %loop.done
//
// lane12:                                           ; preds = %lane.run13, %lanes.some9
//   %lanes.left15 = phi i64 [ %255, %lanes.some9 ], [ %271, %lane.run13 ]
//   %259 = icmp eq i64 %lanes.left15, 0
//   br i1 %259, label %lanes.done14, label %lane.run13
//
// lane.run13:                                       ; preds = %lane12
//   %260 = call i64 @llvm.cttz.i64(i64 %lanes.left15, i1 true)
//   %261 = trunc i64 %260 to i32
//   %262 = zext i32 %261 to i64
//   %263 = getelementptr inbounds i32, ptr %lanes11, i64 %262
//   %264 = load i32, ptr %263, align 4
//   %265 = mul i32 %261, 1
//   %266 = add i32 %160, %265
//   %267 = zext nneg i32 %264 to i64
//   %268 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %267
//   %269 = atomicrmw volatile xor ptr addrspace(3) %268, i32 %266 monotonic, align 4
//   %270 = sub i64 %lanes.left15, 1
//   %271 = and i64 %lanes.left15, %270
//   br label %lane12
//
// lanes.done14:                                     ; preds = %lane12
//   br label %lanes.done10
//
// loop.done:                                        ; preds = %lanes.done10
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//

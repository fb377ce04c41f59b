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
//   %lanes20 = alloca <16 x i32>, align 64
//   %lanes = alloca <16 x i32>, align 64
//   %value15 = alloca i64, align 8
//   %value14 = alloca i64, align 8
//   %phi11 = alloca i64, align 8
//   %phi10 = alloca i64, align 8
//   %value9 = alloca i64, align 8
//   %value8 = alloca i64, align 8
//   %value = alloca i64, align 8
//   %phi7 = alloca i64, align 8
//   %phi6 = alloca i64, align 8
//   %phi4 = alloca i64, align 8
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
//   %gz = phi i64 [ %4, %entry ], [ %62, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %59, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %56, %k.group.exit ]
//   %23 = shl nuw i64 %gx, 6
//   %24 = sub i64 %13, %23
//   %25 = call i64 @llvm.umin.i64(i64 %24, i64 64)
//   %26 = xor i64 %13, -1
//   %27 = icmp ne i64 %13, 0
//   %28 = icmp ule i64 %22, %26
//   %29 = and i1 %27, %28
//   %30 = add nsw i64 %25, -1
//   %31 = add i64 %23, %30
//   %32 = icmp ule i64 %23, %31
//   %33 = and i1 %29, %32
//   %34 = select i1 %33, i64 %31, i64 %22
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.cond.i.i.preheader, %for.body.i.i
//   %35 = phi i64 [ %inc.i.i, %for.body.i.i ], [ %j.i.0.all.i.lcssa, %for.cond.i.i.preheader ]
//   %36 = phi i64 [ %add14.i.i, %for.body.i.i ], [ %i.i.0.all.i.lcssa, %for.cond.i.i.preheader ]
//   %cmp.i.i = icmp ult i64 %36, %22
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %36
//   %37 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %38 = getelementptr i32, ptr addrspace(1) %20, i64 %local.x.i
//   %arrayidx2.i.i = getelementptr i32, ptr addrspace(1) %38, i64 %35
//   %39 = load i32, ptr addrspace(1) %arrayidx2.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %add3.i.i = add i32 %37, %39
//   %and.i.i = and i32 %add3.i.i, 255
//   %idxprom.i.i = zext nneg i32 %and.i.i to i64
//   %arrayidx4.i.i = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %idxprom.i.i
//   %40 = atomicrmw volatile add ptr addrspace(3) %arrayidx4.i.i, i32 1 monotonic, align 4
//   %.idx.i = shl i64 %35, 14
//   %41 = getelementptr i8, ptr addrspace(1) %18, i64 %.idx.i
//   %arrayidx8.i.i = getelementptr i32, ptr addrspace(1) %41, i64 %local.x.i
//   %42 = load i32, ptr addrspace(1) %arrayidx8.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %and9.i.i = and i32 %42, 255
//   %idxprom10.i.i = zext nneg i32 %and9.i.i to i64
//   %arrayidx11.i.i = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %idxprom10.i.i
//   %conv.i.i = trunc i64 %36 to i32
//   %43 = atomicrmw volatile xor ptr addrspace(3) %arrayidx11.i.i, i32 %conv.i.i monotonic, align 4
//   %add14.i.i = add i64 %36, %13
//   %inc.i.i = add i64 %35, 1
//   br label %for.cond.i.i, !llvm.loop !7
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %44 = add nuw i64 %local.x.i, 1
//   %45 = icmp ult i64 %44, %25
//   br i1 %45, label %items.x.i, label %k.group.exit, !llvm.loop !9
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %44, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %281, %vector.leave ]
//   %46 = add nuw nsw i64 %23, %local.x.i
//   br label %for.cond.i.all.i
//
// for.cond.i.all.i:                                 ; preds = %for.body.i.all.i, %items.x.i
//   %last.i = phi i64 [ %34, %items.x.i ], [ %48, %for.body.i.all.i ]
//   %j.i.0.all.i = phi i64 [ 0, %items.x.i ], [ %inc.i.all.i, %for.body.i.all.i ]
//   %i.i.0.all.i = phi i64 [ %46, %items.x.i ], [ %add14.i.all.i, %for.body.i.all.i ]
//   %47 = icmp ult i64 %last.i, %22
//   br i1 %47, label %for.body.i.all.i, label %for.cond.i.i.preheader
//
// for.cond.i.i.preheader:                           ; preds = %for.cond.i.all.i
//   %j.i.0.all.i.lcssa = phi i64 [ %j.i.0.all.i, %for.cond.i.all.i ]
//   %i.i.0.all.i.lcssa = phi i64 [ %i.i.0.all.i, %for.cond.i.all.i ]
//   br label %for.cond.i.i
//
// for.body.i.all.i:                                 ; preds = %for.cond.i.all.i
//   %48 = add i64 %last.i, %13
//   %arrayidx.i.all.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %i.i.0.all.i
//   %49 = load i32, ptr addrspace(1) %arrayidx.i.all.i, align 4, !tbaa !1, !llvm.access.group !6
//   %50 = getelementptr i32, ptr addrspace(1) %20, i64 %local.x.i
//   %arrayidx2.i.all.i = getelementptr i32, ptr addrspace(1) %50, i64 %j.i.0.all.i
//   %51 = load i32, ptr addrspace(1) %arrayidx2.i.all.i, align 4, !tbaa !1, !llvm.access.group !6
//   %add3.i.all.i = add i32 %49, %51
//   %and.i.all.i = and i32 %add3.i.all.i, 255
//   %idxprom.i.all.i = zext nneg i32 %and.i.all.i to i64
//   %arrayidx4.i.all.i = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %idxprom.i.all.i
//   %52 = atomicrmw volatile add ptr addrspace(3) %arrayidx4.i.all.i, i32 1 monotonic, align 4
//   %.idx.all.i = shl i64 %j.i.0.all.i, 14
//   %53 = getelementptr i8, ptr addrspace(1) %18, i64 %.idx.all.i
//   %arrayidx8.i.all.i = getelementptr i32, ptr addrspace(1) %53, i64 %local.x.i
//   %54 = load i32, ptr addrspace(1) %arrayidx8.i.all.i, align 4, !tbaa !1, !llvm.access.group !6
//   %and9.i.all.i = and i32 %54, 255
//   %idxprom10.i.all.i = zext nneg i32 %and9.i.all.i to i64
//   %arrayidx11.i.all.i = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %idxprom10.i.all.i
//   %conv.i.all.i = trunc i64 %i.i.0.all.i to i32
//   %55 = atomicrmw volatile xor ptr addrspace(3) %arrayidx11.i.all.i, i32 %conv.i.all.i monotonic, align 4
//   %add14.i.all.i = add i64 %i.i.0.all.i, %13
//   %inc.i.all.i = add i64 %j.i.0.all.i, 1
//   br label %for.cond.i.all.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %56 = add nuw i64 %gx, 1
//   %57 = add nuw i64 %0, %6
//   %58 = icmp ult i64 %56, %57
//   br i1 %58, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %59 = add nuw i64 %gy, 1
//   %60 = add nuw i64 %2, %8
//   %61 = icmp ult i64 %59, %60
//   br i1 %61, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %62 = add nuw i64 %gz, 1
//   %63 = add nuw i64 %4, %10
//   %64 = icmp ult i64 %62, %63
//   br i1 %64, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %group.x
//   %65 = sub i64 %25, 0
//   %66 = and i64 %65, -16
//   %67 = icmp eq i64 %66, 0
//   br i1 %67, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %278, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i64 poison, ptr %phi, align 8
//   store i64 poison, ptr %phi3, align 8
//   store i64 poison, ptr %phi4, align 8
//   store i64 poison, ptr %phi6, align 8
//   store i64 poison, ptr %phi7, align 8
//   store i64 poison, ptr %phi10, align 8
//   store i64 poison, ptr %phi11, align 8
//   %68 = add nuw nsw i64 %23, %vector
//   store i64 %34, ptr %phi, align 8
//   store i64 0, ptr %phi3, align 8
//   store i64 %68, ptr %phi4, align 8
//   br label %for.cond.i.all.i.v
//
// for.cond.i.all.i.v:                               ; preds = %for.body.i.all.i.v, %items.x.i.v
//   %69 = load i64, ptr %phi, align 8
//   %70 = load i64, ptr %phi3, align 8
//   %71 = load i64, ptr %phi4, align 8
//   %72 = icmp ult i64 %69, %22
//   store i64 %69, ptr %value, align 8
//   store i64 %71, ptr %value8, align 8
//   store i64 %70, ptr %value9, align 8
//   br i1 %72, label %edge, label %edge5
//
// for.body.i.all.i.v:                               ; preds = %edge
//   %73 = load i64, ptr %value, align 8
//   %74 = add i64 %73, %13
//   %75 = load i64, ptr %value8, align 8
//   %76 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %75
//   %77 = load <16 x i32>, ptr addrspace(1) %76, align 4, !tbaa !1, !llvm.access.group !6
//   %78 = mul i64 %13, 16
//   %79 = getelementptr i8, ptr addrspace(1) %76, i64 %78
//   %80 = getelementptr i8, ptr addrspace(1) %79, i64 0
//   call void @llvm.prefetch.p1(ptr addrspace(1) %80, i32 0, i32 3, i32 1)
//   %81 = getelementptr i32, ptr addrspace(1) %20, i64 %vector
//   %82 = load i64, ptr %value9, align 8
//   %83 = getelementptr i32, ptr addrspace(1) %81, i64 %82
//   %84 = load <16 x i32>, ptr addrspace(1) %83, align 4, !tbaa !1, !llvm.access.group !6
//   %85 = add <16 x i32> %77, %84
//   %86 = and <16 x i32> %85, splat (i32 255)
//   %87 = zext nneg <16 x i32> %86 to <16 x i64>
//   %88 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, <16 x i64> %87
//   %89 = extractelement <16 x i32> %86, i32 0
//   %90 = zext nneg i32 %89 to i64
//   %91 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %90
//   %92 = atomicrmw volatile add ptr addrspace(3) %91, i32 1 monotonic, align 4
//   %93 = extractelement <16 x i32> %86, i32 1
//   %94 = zext nneg i32 %93 to i64
//   %95 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %94
//   %96 = atomicrmw volatile add ptr addrspace(3) %95, i32 1 monotonic, align 4
//   %97 = extractelement <16 x i32> %86, i32 2
//   %98 = zext nneg i32 %97 to i64
//   %99 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %98
//   %100 = atomicrmw volatile add ptr addrspace(3) %99, i32 1 monotonic, align 4
//   %101 = extractelement <16 x i32> %86, i32 3
//   %102 = zext nneg i32 %101 to i64
//   %103 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %102
//   %104 = atomicrmw volatile add ptr addrspace(3) %103, i32 1 monotonic, align 4
//   %105 = extractelement <16 x i32> %86, i32 4
//   %106 = zext nneg i32 %105 to i64
//   %107 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %106
//   %108 = atomicrmw volatile add ptr addrspace(3) %107, i32 1 monotonic, align 4
//   %109 = extractelement <16 x i32> %86, i32 5
//   %110 = zext nneg i32 %109 to i64
//   %111 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %110
//   %112 = atomicrmw volatile add ptr addrspace(3) %111, i32 1 monotonic, align 4
//   %113 = extractelement <16 x i32> %86, i32 6
//   %114 = zext nneg i32 %113 to i64
//   %115 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %114
//   %116 = atomicrmw volatile add ptr addrspace(3) %115, i32 1 monotonic, align 4
//   %117 = extractelement <16 x i32> %86, i32 7
//   %118 = zext nneg i32 %117 to i64
//   %119 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %118
//   %120 = atomicrmw volatile add ptr addrspace(3) %119, i32 1 monotonic, align 4
//   %121 = extractelement <16 x i32> %86, i32 8
//   %122 = zext nneg i32 %121 to i64
//   %123 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %122
//   %124 = atomicrmw volatile add ptr addrspace(3) %123, i32 1 monotonic, align 4
//   %125 = extractelement <16 x i32> %86, i32 9
//   %126 = zext nneg i32 %125 to i64
//   %127 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %126
//   %128 = atomicrmw volatile add ptr addrspace(3) %127, i32 1 monotonic, align 4
//   %129 = extractelement <16 x i32> %86, i32 10
//   %130 = zext nneg i32 %129 to i64
//   %131 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %130
//   %132 = atomicrmw volatile add ptr addrspace(3) %131, i32 1 monotonic, align 4
//   %133 = extractelement <16 x i32> %86, i32 11
//   %134 = zext nneg i32 %133 to i64
//   %135 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %134
//   %136 = atomicrmw volatile add ptr addrspace(3) %135, i32 1 monotonic, align 4
//   %137 = extractelement <16 x i32> %86, i32 12
//   %138 = zext nneg i32 %137 to i64
//   %139 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %138
//   %140 = atomicrmw volatile add ptr addrspace(3) %139, i32 1 monotonic, align 4
//   %141 = extractelement <16 x i32> %86, i32 13
//   %142 = zext nneg i32 %141 to i64
//   %143 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %142
//   %144 = atomicrmw volatile add ptr addrspace(3) %143, i32 1 monotonic, align 4
//   %145 = extractelement <16 x i32> %86, i32 14
//   %146 = zext nneg i32 %145 to i64
//   %147 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %146
//   %148 = atomicrmw volatile add ptr addrspace(3) %147, i32 1 monotonic, align 4
//   %149 = extractelement <16 x i32> %86, i32 15
//   %150 = zext nneg i32 %149 to i64
//   %151 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %150
//   %152 = atomicrmw volatile add ptr addrspace(3) %151, i32 1 monotonic, align 4
//   %153 = shl i64 %82, 14
//   %154 = getelementptr i8, ptr addrspace(1) %18, i64 %153
//   %155 = getelementptr i32, ptr addrspace(1) %154, i64 %vector
//   %156 = load <16 x i32>, ptr addrspace(1) %155, align 4, !tbaa !1, !llvm.access.group !6
//   %157 = getelementptr i8, ptr addrspace(1) %155, i64 65536
//   %158 = getelementptr i8, ptr addrspace(1) %157, i64 0
//   call void @llvm.prefetch.p1(ptr addrspace(1) %158, i32 0, i32 3, i32 1)
//   %159 = and <16 x i32> %156, splat (i32 255)
//   %160 = zext nneg <16 x i32> %159 to <16 x i64>
//   %161 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, <16 x i64> %160
//   %162 = trunc i64 %75 to i32
//   %163 = extractelement <16 x i32> %159, i32 0
//   %164 = add i32 %162, 0
//   %165 = zext nneg i32 %163 to i64
//   %166 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %165
//   %167 = atomicrmw volatile xor ptr addrspace(3) %166, i32 %164 monotonic, align 4
//   %168 = extractelement <16 x i32> %159, i32 1
//   %169 = add i32 %162, 1
//   %170 = zext nneg i32 %168 to i64
//   %171 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %170
//   %172 = atomicrmw volatile xor ptr addrspace(3) %171, i32 %169 monotonic, align 4
//   %173 = extractelement <16 x i32> %159, i32 2
//   %174 = add i32 %162, 2
//   %175 = zext nneg i32 %173 to i64
//   %176 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %175
//   %177 = atomicrmw volatile xor ptr addrspace(3) %176, i32 %174 monotonic, align 4
//   %178 = extractelement <16 x i32> %159, i32 3
//   %179 = add i32 %162, 3
//   %180 = zext nneg i32 %178 to i64
//   %181 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %180
//   %182 = atomicrmw volatile xor ptr addrspace(3) %181, i32 %179 monotonic, align 4
//   %183 = extractelement <16 x i32> %159, i32 4
//   %184 = add i32 %162, 4
//   %185 = zext nneg i32 %183 to i64
//   %186 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %185
//   %187 = atomicrmw volatile xor ptr addrspace(3) %186, i32 %184 monotonic, align 4
//   %188 = extractelement <16 x i32> %159, i32 5
//   %189 = add i32 %162, 5
//   %190 = zext nneg i32 %188 to i64
//   %191 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %190
//   %192 = atomicrmw volatile xor ptr addrspace(3) %191, i32 %189 monotonic, align 4
//   %193 = extractelement <16 x i32> %159, i32 6
//   %194 = add i32 %162, 6
//   %195 = zext nneg i32 %193 to i64
//   %196 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %195
//   %197 = atomicrmw volatile xor ptr addrspace(3) %196, i32 %194 monotonic, align 4
//   %198 = extractelement <16 x i32> %159, i32 7
//   %199 = add i32 %162, 7
//   %200 = zext nneg i32 %198 to i64
//   %201 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %200
//   %202 = atomicrmw volatile xor ptr addrspace(3) %201, i32 %199 monotonic, align 4
//   %203 = extractelement <16 x i32> %159, i32 8
//   %204 = add i32 %162, 8
//   %205 = zext nneg i32 %203 to i64
//   %206 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %205
//   %207 = atomicrmw volatile xor ptr addrspace(3) %206, i32 %204 monotonic, align 4
//   %208 = extractelement <16 x i32> %159, i32 9
//   %209 = add i32 %162, 9
//   %210 = zext nneg i32 %208 to i64
//   %211 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %210
//   %212 = atomicrmw volatile xor ptr addrspace(3) %211, i32 %209 monotonic, align 4
//   %213 = extractelement <16 x i32> %159, i32 10
//   %214 = add i32 %162, 10
//   %215 = zext nneg i32 %213 to i64
//   %216 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %215
//   %217 = atomicrmw volatile xor ptr addrspace(3) %216, i32 %214 monotonic, align 4
//   %218 = extractelement <16 x i32> %159, i32 11
//   %219 = add i32 %162, 11
//   %220 = zext nneg i32 %218 to i64
//   %221 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %220
//   %222 = atomicrmw volatile xor ptr addrspace(3) %221, i32 %219 monotonic, align 4
//   %223 = extractelement <16 x i32> %159, i32 12
//   %224 = add i32 %162, 12
//   %225 = zext nneg i32 %223 to i64
//   %226 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %225
//   %227 = atomicrmw volatile xor ptr addrspace(3) %226, i32 %224 monotonic, align 4
//   %228 = extractelement <16 x i32> %159, i32 13
//   %229 = add i32 %162, 13
//   %230 = zext nneg i32 %228 to i64
//   %231 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %230
//   %232 = atomicrmw volatile xor ptr addrspace(3) %231, i32 %229 monotonic, align 4
//   %233 = extractelement <16 x i32> %159, i32 14
//   %234 = add i32 %162, 14
//   %235 = zext nneg i32 %233 to i64
//   %236 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %235
//   %237 = atomicrmw volatile xor ptr addrspace(3) %236, i32 %234 monotonic, align 4
//   %238 = extractelement <16 x i32> %159, i32 15
//   %239 = add i32 %162, 15
//   %240 = zext nneg i32 %238 to i64
//   %241 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %240
//   %242 = atomicrmw volatile xor ptr addrspace(3) %241, i32 %239 monotonic, align 4
//   %243 = add i64 %75, %13
//   %244 = add i64 %82, 1
//   store i64 %74, ptr %phi, align 8
//   store i64 %244, ptr %phi3, align 8
//   store i64 %243, ptr %phi4, align 8
//   br label %for.cond.i.all.i.v
//
// for.cond.i.i.preheader.v:                         ; preds = %edge5
//   %245 = load i64, ptr %phi6, align 8
//   %246 = load i64, ptr %phi7, align 8
//   store i64 %245, ptr %phi10, align 8
//   store i64 %246, ptr %phi11, align 8
//   store <16 x i1> splat (i1 true), ptr %mask, align 2
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %lanes.done19, %for.cond.i.i.preheader.v
//   %247 = load <16 x i1>, ptr %mask, align 2
//   store <16 x i1> zeroinitializer, ptr %mask2, align 2
//   %248 = load i64, ptr %phi10, align 8
//   %249 = load i64, ptr %phi11, align 8
//   %.splatinsert = insertelement <16 x i64> poison, i64 %249, i64 0
//   %.splat = shufflevector <16 x i64> %.splatinsert, <16 x i64> poison, <16 x i32> zeroinitializer
//   %250 = add <16 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
//   %.splatinsert12 = insertelement <16 x i64> poison, i64 %22, i64 0
//   %.splat13 = shufflevector <16 x i64> %.splatinsert12, <16 x i64> poison, <16 x i32> zeroinitializer
//   %251 = icmp ult <16 x i64> %250, %.splat13
//   %252 = select <16 x i1> %247, <16 x i1> %251, <16 x i1> zeroinitializer
//   %253 = xor <16 x i1> %247, %252
//   %254 = load <16 x i1>, ptr %mask2, align 2
//   %255 = or <16 x i1> %254, %252
//   store <16 x i1> %255, ptr %mask2, align 2
//   %256 = load <16 x i1>, ptr %mask2, align 2
//   %257 = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %256)
//   store i64 %249, ptr %value14, align 8
//   store i64 %248, ptr %value15, align 8
//   br i1 %257, label %for.body.i.i.v, label %skip
//
// for.body.i.i.v:                                   ; preds = %for.cond.i.i.v
//   %258 = load <16 x i1>, ptr %mask2, align 2
//   %259 = load i64, ptr %value14, align 8
//   %260 = getelementptr i32, ptr addrspace(1) %16, i64 %259
//   %261 = call <16 x i32> @llvm.masked.load.v16i32.p1(ptr addrspace(1) align 4 %260, <16 x i1> %258, <16 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %262 = mul i64 %13, 16
//   %263 = getelementptr i8, ptr addrspace(1) %260, i64 %262
//   %264 = getelementptr i8, ptr addrspace(1) %263, i64 0
//   call void @llvm.prefetch.p1(ptr addrspace(1) %264, i32 0, i32 3, i32 1)
//   %265 = getelementptr i32, ptr addrspace(1) %20, i64 %vector
//   %266 = load i64, ptr %value15, align 8
//   %267 = getelementptr i32, ptr addrspace(1) %265, i64 %266
//   %268 = call <16 x i32> @llvm.masked.load.v16i32.p1(ptr addrspace(1) align 4 %267, <16 x i1> %258, <16 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %269 = add <16 x i32> %261, %268
//   %270 = and <16 x i32> %269, splat (i32 255)
//   %271 = zext nneg <16 x i32> %270 to <16 x i64>
//   %272 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, <16 x i64> %271
//   %273 = xor <16 x i1> %258, splat (i1 true)
//   %274 = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %273)
//   br i1 %274, label %lanes.some, label %lanes.all
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %loop.done, %skip
//   %275 = add nuw i64 %vector, 1
//   %.splatinsert25 = insertelement <16 x i64> poison, i64 %275, i64 0
//   %.splat26 = shufflevector <16 x i64> %.splatinsert25, <16 x i64> poison, <16 x i32> zeroinitializer
//   %276 = add <16 x i64> %.splat26, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
//   %.splatinsert27 = insertelement <16 x i64> poison, i64 %25, i64 0
//   %.splat28 = shufflevector <16 x i64> %.splatinsert27, <16 x i64> poison, <16 x i32> zeroinitializer
//   %277 = icmp ult <16 x i64> %276, %.splat28
//   %278 = add i64 %vector, 16
//   %279 = sub i64 %278, 0
//   %280 = icmp ult i64 %279, %66
//   br i1 %280, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %281 = add i64 0, %66
//   %282 = icmp ne i64 %66, %65
//   br i1 %282, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.all.i.v
//   br label %for.body.i.all.i.v
//
// edge5:                                            ; preds = %for.cond.i.all.i.v
//   store i64 %70, ptr %phi6, align 8
//   store i64 %71, ptr %phi7, align 8
//   br label %for.cond.i.i.preheader.v
//
// skip:                                             ; preds = %for.cond.i.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// lanes.all:                                        ; preds = %for.body.i.i.v
//   %283 = extractelement <16 x i32> %270, i32 0
//   %284 = zext nneg i32 %283 to i64
//   %285 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %284
//   %286 = atomicrmw volatile add ptr addrspace(3) %285, i32 1 monotonic, align 4
//   %287 = extractelement <16 x i32> %270, i32 1
//   %288 = zext nneg i32 %287 to i64
//   %289 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %288
//   %290 = atomicrmw volatile add ptr addrspace(3) %289, i32 1 monotonic, align 4
//   %291 = extractelement <16 x i32> %270, i32 2
//   %292 = zext nneg i32 %291 to i64
//   %293 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %292
//   %294 = atomicrmw volatile add ptr addrspace(3) %293, i32 1 monotonic, align 4
//   %295 = extractelement <16 x i32> %270, i32 3
//   %296 = zext nneg i32 %295 to i64
//   %297 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %296
//   %298 = atomicrmw volatile add ptr addrspace(3) %297, i32 1 monotonic, align 4
//   %299 = extractelement <16 x i32> %270, i32 4
//   %300 = zext nneg i32 %299 to i64
//   %301 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %300
//   %302 = atomicrmw volatile add ptr addrspace(3) %301, i32 1 monotonic, align 4
//   %303 = extractelement <16 x i32> %270, i32 5
//   %304 = zext nneg i32 %303 to i64
//   %305 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %304
//   %306 = atomicrmw volatile add ptr addrspace(3) %305, i32 1 monotonic, align 4
//   %307 = extractelement <16 x i32> %270, i32 6
//   %308 = zext nneg i32 %307 to i64
//   %309 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %308
//   %310 = atomicrmw volatile add ptr addrspace(3) %309, i32 1 monotonic, align 4
//   %311 = extractelement <16 x i32> %270, i32 7
//   %312 = zext nneg i32 %311 to i64
//   %313 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %312
//   %314 = atomicrmw volatile add ptr addrspace(3) %313, i32 1 monotonic, align 4
//   %315 = extractelement <16 x i32> %270, i32 8
//   %316 = zext nneg i32 %315 to i64
//   %317 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %316
//   %318 = atomicrmw volatile add ptr addrspace(3) %317, i32 1 monotonic, align 4
//   %319 = extractelement <16 x i32> %270, i32 9
//   %320 = zext nneg i32 %319 to i64
//   %321 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %320
//   %322 = atomicrmw volatile add ptr addrspace(3) %321, i32 1 monotonic, align 4
//   %323 = extractelement <16 x i32> %270, i32 10
//   %324 = zext nneg i32 %323 to i64
//   %325 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %324
//   %326 = atomicrmw volatile add ptr addrspace(3) %325, i32 1 monotonic, align 4
//   %327 = extractelement <16 x i32> %270, i32 11
//   %328 = zext nneg i32 %327 to i64
//   %329 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %328
//   %330 = atomicrmw volatile add ptr addrspace(3) %329, i32 1 monotonic, align 4
//   %331 = extractelement <16 x i32> %270, i32 12
//   %332 = zext nneg i32 %331 to i64
//   %333 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %332
//   %334 = atomicrmw volatile add ptr addrspace(3) %333, i32 1 monotonic, align 4
//   %335 = extractelement <16 x i32> %270, i32 13
//   %336 = zext nneg i32 %335 to i64
//   %337 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %336
//   %338 = atomicrmw volatile add ptr addrspace(3) %337, i32 1 monotonic, align 4
//   %339 = extractelement <16 x i32> %270, i32 14
//   %340 = zext nneg i32 %339 to i64
//   %341 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %340
//   %342 = atomicrmw volatile add ptr addrspace(3) %341, i32 1 monotonic, align 4
//   %343 = extractelement <16 x i32> %270, i32 15
//   %344 = zext nneg i32 %343 to i64
//   %345 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %344
//   %346 = atomicrmw volatile add ptr addrspace(3) %345, i32 1 monotonic, align 4
//   br label %lanes.done
//
// lanes.some:                                       ; preds = %for.body.i.i.v
//   store <16 x i32> %270, ptr %lanes, align 64
//   %347 = bitcast <16 x i1> %258 to i16
//   %348 = zext i16 %347 to i64
//   br label %lane
//
// lanes.done:                                       ; preds = %lanes.done16, %lanes.all
//   %349 = shl i64 %266, 14
//   %350 = getelementptr i8, ptr addrspace(1) %18, i64 %349
//   %351 = getelementptr i32, ptr addrspace(1) %350, i64 %vector
//   %352 = call <16 x i32> @llvm.masked.load.v16i32.p1(ptr addrspace(1) align 4 %351, <16 x i1> %258, <16 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %353 = getelementptr i8, ptr addrspace(1) %351, i64 65536
//   %354 = getelementptr i8, ptr addrspace(1) %353, i64 0
//   call void @llvm.prefetch.p1(ptr addrspace(1) %354, i32 0, i32 3, i32 1)
//   %355 = and <16 x i32> %352, splat (i32 255)
//   %356 = zext nneg <16 x i32> %355 to <16 x i64>
//   %357 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, <16 x i64> %356
//   %358 = trunc i64 %259 to i32
//   %359 = xor <16 x i1> %258, splat (i1 true)
//   %360 = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %359)
//   br i1 %360, label %lanes.some18, label %lanes.all17
//
// lane:                                             ; preds = %lane.run, %lanes.some
//   %lanes.left = phi i64 [ %348, %lanes.some ], [ %371, %lane.run ]
//   %361 = icmp eq i64 %lanes.left, 0
//   br i1 %361, label %lanes.done16, label %lane.run
//
// lane.run:                                         ; preds = %lane
//   %362 = call i64 @llvm.cttz.i64(i64 %lanes.left, i1 true)
//   %363 = trunc i64 %362 to i32
//   %364 = zext i32 %363 to i64
//   %365 = getelementptr inbounds i32, ptr %lanes, i64 %364
//   %366 = load i32, ptr %365, align 4
//   %367 = zext nneg i32 %366 to i64
//   %368 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %367
//   %369 = atomicrmw volatile add ptr addrspace(3) %368, i32 1 monotonic, align 4
//   %370 = sub i64 %lanes.left, 1
//   %371 = and i64 %lanes.left, %370
//   br label %lane
//
// lanes.done16:                                     ; preds = %lane
//   br label %lanes.done
//
// lanes.all17:                                      ; preds = %lanes.done
//   %372 = extractelement <16 x i32> %355, i32 0
//   %373 = add i32 %358, 0
//   %374 = zext nneg i32 %372 to i64
//   %375 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %374
//   %376 = atomicrmw volatile xor ptr addrspace(3) %375, i32 %373 monotonic, align 4
//   %377 = extractelement <16 x i32> %355, i32 1
//   %378 = add i32 %358, 1
//   %379 = zext nneg i32 %377 to i64
//   %380 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %379
//   %381 = atomicrmw volatile xor ptr addrspace(3) %380, i32 %378 monotonic, align 4
//   %382 = extractelement <16 x i32> %355, i32 2
//   %383 = add i32 %358, 2
//   %384 = zext nneg i32 %382 to i64
//   %385 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %384
//   %386 = atomicrmw volatile xor ptr addrspace(3) %385, i32 %383 monotonic, align 4
//   %387 = extractelement <16 x i32> %355, i32 3
//   %388 = add i32 %358, 3
//   %389 = zext nneg i32 %387 to i64
//   %390 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %389
//   %391 = atomicrmw volatile xor ptr addrspace(3) %390, i32 %388 monotonic, align 4
//   %392 = extractelement <16 x i32> %355, i32 4
//   %393 = add i32 %358, 4
//   %394 = zext nneg i32 %392 to i64
//   %395 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %394
//   %396 = atomicrmw volatile xor ptr addrspace(3) %395, i32 %393 monotonic, align 4
//   %397 = extractelement <16 x i32> %355, i32 5
//   %398 = add i32 %358, 5
//   %399 = zext nneg i32 %397 to i64
//   %400 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %399
//   %401 = atomicrmw volatile xor ptr addrspace(3) %400, i32 %398 monotonic, align 4
//   %402 = extractelement <16 x i32> %355, i32 6
//   %403 = add i32 %358, 6
//   %404 = zext nneg i32 %402 to i64
//   %405 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %404
//   %406 = atomicrmw volatile xor ptr addrspace(3) %405, i32 %403 monotonic, align 4
//   %407 = extractelement <16 x i32> %355, i32 7
//   %408 = add i32 %358, 7
//   %409 = zext nneg i32 %407 to i64
//   %410 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %409
//   %411 = atomicrmw volatile xor ptr addrspace(3) %410, i32 %408 monotonic, align 4
//   %412 = extractelement <16 x i32> %355, i32 8
//   %413 = add i32 %358, 8
//   %414 = zext nneg i32 %412 to i64
//   %415 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %414
//   %416 = atomicrmw volatile xor ptr addrspace(3) %415, i32 %413 monotonic, align 4
//   %417 = extractelement <16 x i32> %355, i32 9
//   %418 = add i32 %358, 9
//   %419 = zext nneg i32 %417 to i64
//   %420 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %419
//   %421 = atomicrmw volatile xor ptr addrspace(3) %420, i32 %418 monotonic, align 4
//   %422 = extractelement <16 x i32> %355, i32 10
//   %423 = add i32 %358, 10
//   %424 = zext nneg i32 %422 to i64
//   %425 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %424
//   %426 = atomicrmw volatile xor ptr addrspace(3) %425, i32 %423 monotonic, align 4
//   %427 = extractelement <16 x i32> %355, i32 11
//   %428 = add i32 %358, 11
//   %429 = zext nneg i32 %427 to i64
//   %430 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %429
//   %431 = atomicrmw volatile xor ptr addrspace(3) %430, i32 %428 monotonic, align 4
//   %432 = extractelement <16 x i32> %355, i32 12
//   %433 = add i32 %358, 12
//   %434 = zext nneg i32 %432 to i64
//   %435 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %434
//   %436 = atomicrmw volatile xor ptr addrspace(3) %435, i32 %433 monotonic, align 4
//   %437 = extractelement <16 x i32> %355, i32 13
//   %438 = add i32 %358, 13
//   %439 = zext nneg i32 %437 to i64
//   %440 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %439
//   %441 = atomicrmw volatile xor ptr addrspace(3) %440, i32 %438 monotonic, align 4
//   %442 = extractelement <16 x i32> %355, i32 14
//   %443 = add i32 %358, 14
//   %444 = zext nneg i32 %442 to i64
//   %445 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %444
//   %446 = atomicrmw volatile xor ptr addrspace(3) %445, i32 %443 monotonic, align 4
//   %447 = extractelement <16 x i32> %355, i32 15
//   %448 = add i32 %358, 15
//   %449 = zext nneg i32 %447 to i64
//   %450 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %449
//   %451 = atomicrmw volatile xor ptr addrspace(3) %450, i32 %448 monotonic, align 4
//   br label %lanes.done19
//
// lanes.some18:                                     ; preds = %lanes.done
//   store <16 x i32> %355, ptr %lanes20, align 64
//   %452 = bitcast <16 x i1> %258 to i16
//   %453 = zext i16 %452 to i64
//   br label %lane21
//
// lanes.done19:                                     ; preds = %lanes.done23, %lanes.all17
//   %454 = add i64 %259, %13
//   %455 = add i64 %266, 1
//   store i64 %455, ptr %phi10, align 8
//   store i64 %454, ptr %phi11, align 8
//   store <16 x i1> %258, ptr %mask, align 2
//   %456 = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %258)
//   br i1 %456, label %for.cond.i.i.v, label %loop.done
//
// lane21:                                           ; preds = %lane.run22, %lanes.some18
//   %lanes.left24 = phi i64 [ %453, %lanes.some18 ], [ %469, %lane.run22 ]
//   %457 = icmp eq i64 %lanes.left24, 0
//   br i1 %457, label %lanes.done23, label %lane.run22
//
// lane.run22:                                       ; preds = %lane21
//   %458 = call i64 @llvm.cttz.i64(i64 %lanes.left24, i1 true)
//   %459 = trunc i64 %458 to i32
//   %460 = zext i32 %459 to i64
//   %461 = getelementptr inbounds i32, ptr %lanes20, i64 %460
//   %462 = load i32, ptr %461, align 4
//   %463 = mul i32 %459, 1
//   %464 = add i32 %358, %463
//   %465 = zext nneg i32 %462 to i64
//   %466 = getelementptr inbounds nuw i32, ptr addrspace(3) %15, i64 %465
//   %467 = atomicrmw volatile xor ptr addrspace(3) %466, i32 %464 monotonic, align 4
//   %468 = sub i64 %lanes.left24, 1
//   %469 = and i64 %lanes.left24, %468
//   br label %lane21
//
// lanes.done23:                                     ; preds = %lane21
//   br label %lanes.done19
//
// loop.done:                                        ; preds = %lanes.done19
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//

//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [16]
//! cpu = "x86-64-v4"
//! cost_model = true
// Each work-item looks up values in a table of its own, of 4 KiB. Eight lanes keep their tables in
// a first-level cache of 32 KiB; sixteen would not.
kernel void k(global const uint *in, global uint *out, int rounds) {
  uint table[1024];
  size_t i = get_global_id(0);
  uint x = in[i];
  for (int r = 0; r < 1024; ++r) table[r] = in[r] ^ x;
  for (int r = 0; r < rounds; ++r) {
    x = table[x & 1023] + table[(x >> 10) & 1023] * 3u;
    x ^= table[(x >> 20) & 1023] + r;
    x += table[(x >> 5) & 1023] ^ table[(x >> 15) & 1023];
  }
  out[i] = x;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value13 = alloca i64, align 8
//   %value10 = alloca i32, align 4
//   %value9 = alloca <8 x i32>, align 32
//   %phi8 = alloca <8 x i32>, align 32
//   %phi5 = alloca <8 x i32>, align 32
//   %phi4 = alloca i32, align 4
//   %value3 = alloca <8 x i32>, align 32
//   %value = alloca i32, align 4
//   %phi = alloca i32, align 4
//   %private = alloca [32768 x i8], align 32
//   %table.i.i = alloca [1024 x i32], align 4, !muxcl.private !5
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
//   %11 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %12 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %13 = load ptr addrspace(1), ptr %12, align 8, !invariant.load !5
//   %14 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %15 = load i32, ptr %14, align 8, !invariant.load !5
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
//   %16 = shl nuw i64 %gx, 4
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %r.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %cmp.i.i = icmp samesign ult i32 %r.i.0.i, 1024
//   br i1 %cmp.i.i, label %for.body.i.i, label %for.cond5.i.i.preheader
//
// for.cond5.i.i.preheader:                          ; preds = %for.cond.i.i
//   br label %for.cond5.i.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %idxprom.i.i = zext nneg i32 %r.i.0.i to i64
//   %arrayidx1.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %11, i64 %idxprom.i.i
//   %17 = load i32, ptr addrspace(1) %arrayidx1.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %xor.i.i = xor i32 %17, %26
//   %arrayidx3.i.i = getelementptr inbounds nuw i32, ptr %table.i.i, i64 %idxprom.i.i
//   store i32 %xor.i.i, ptr %arrayidx3.i.i, align 4, !tbaa !1
//   %inc.i.i = add nuw nsw i32 %r.i.0.i, 1
//   br label %for.cond.i.i
//
// for.cond5.i.i:                                    ; preds = %for.cond5.i.i.preheader, %for.body8.i.i
//   %r4.i.0.i = phi i32 [ %inc31.i.i, %for.body8.i.i ], [ 0, %for.cond5.i.i.preheader ]
//   %x.i.0.i = phi i32 [ %add29.i.i, %for.body8.i.i ], [ %26, %for.cond5.i.i.preheader ]
//   %cmp6.i.i = icmp slt i32 %r4.i.0.i, %15
//   br i1 %cmp6.i.i, label %for.body8.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body8.i.i:                                    ; preds = %for.cond5.i.i
//   %and.i.i = and i32 %x.i.0.i, 1023
//   %idxprom9.i.i = zext nneg i32 %and.i.i to i64
//   %arrayidx10.i.i = getelementptr inbounds nuw i32, ptr %table.i.i, i64 %idxprom9.i.i
//   %18 = load i32, ptr %arrayidx10.i.i, align 4, !tbaa !1
//   %shr.i.i = lshr i32 %x.i.0.i, 10
//   %and11.i.i = and i32 %shr.i.i, 1023
//   %idxprom12.i.i = zext nneg i32 %and11.i.i to i64
//   %arrayidx13.i.i = getelementptr inbounds nuw i32, ptr %table.i.i, i64 %idxprom12.i.i
//   %19 = load i32, ptr %arrayidx13.i.i, align 4, !tbaa !1
//   %mul.i.i = mul i32 %19, 3
//   %add.i.i = add i32 %18, %mul.i.i
//   %shr14.i.i = lshr i32 %add.i.i, 20
//   %and15.i.i = and i32 %shr14.i.i, 1023
//   %idxprom16.i.i = zext nneg i32 %and15.i.i to i64
//   %arrayidx17.i.i = getelementptr inbounds nuw i32, ptr %table.i.i, i64 %idxprom16.i.i
//   %20 = load i32, ptr %arrayidx17.i.i, align 4, !tbaa !1
//   %add18.i.i = add i32 %20, %r4.i.0.i
//   %xor19.i.i = xor i32 %add.i.i, %add18.i.i
//   %shr20.i.i = lshr i32 %xor19.i.i, 5
//   %and21.i.i = and i32 %shr20.i.i, 1023
//   %idxprom22.i.i = zext nneg i32 %and21.i.i to i64
//   %arrayidx23.i.i = getelementptr inbounds nuw i32, ptr %table.i.i, i64 %idxprom22.i.i
//   %21 = load i32, ptr %arrayidx23.i.i, align 4, !tbaa !1
//   %shr24.i.i = lshr i32 %xor19.i.i, 15
//   %and25.i.i = and i32 %shr24.i.i, 1023
//   %idxprom26.i.i = zext nneg i32 %and25.i.i to i64
//   %arrayidx27.i.i = getelementptr inbounds nuw i32, ptr %table.i.i, i64 %idxprom26.i.i
//   %22 = load i32, ptr %arrayidx27.i.i, align 4, !tbaa !1
//   %xor28.i.i = xor i32 %21, %22
//   %add29.i.i = add i32 %xor19.i.i, %xor28.i.i
//   %inc31.i.i = add nuw nsw i32 %r4.i.0.i, 1
//   br label %for.cond5.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond5.i.i
//   %x.i.0.i.lcssa = phi i32 [ %x.i.0.i, %for.cond5.i.i ]
//   %arrayidx33.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %13, i64 %25
//   store i32 %x.i.0.i.lcssa, ptr addrspace(1) %arrayidx33.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   call void @llvm.lifetime.end.p0(ptr nonnull %table.i.i) #4
//   %23 = add nuw nsw i64 %local.x.i, 1
//   %24 = icmp samesign ult i64 %local.x.i, 15
//   br i1 %24, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %23, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ 16, %vector.leave ]
//   %25 = or disjoint i64 %16, %local.x.i
//   call void @llvm.lifetime.start.p0(ptr nonnull %table.i.i) #4
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %11, i64 %25
//   %26 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %27 = add nuw i64 %gx, 1
//   %28 = add nuw i64 %0, %6
//   %29 = icmp ult i64 %27, %28
//   br i1 %29, label %group.x, label %group.next, !llvm.loop !11
//
// group.next:                                       ; preds = %k.group.exit
//   %30 = add nuw i64 %gy, 1
//   %31 = add nuw i64 %2, %8
//   %32 = icmp ult i64 %30, %31
//   br i1 %32, label %group.y, label %group.next1, !llvm.loop !12
//
// group.next1:                                      ; preds = %group.next
//   %33 = add nuw i64 %gz, 1
//   %34 = add nuw i64 %4, %10
//   %35 = icmp ult i64 %33, %34
//   br i1 %35, label %group.z, label %exit, !llvm.loop !13
//
// vector.check:                                     ; preds = %group.x
//   br i1 false, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %113, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store i32 poison, ptr %phi4, align 4
//   store <8 x i32> poison, ptr %phi5, align 32
//   store <8 x i32> poison, ptr %phi8, align 32
//   %36 = add i64 %16, %vector
//   %37 = getelementptr inbounds nuw i32, ptr addrspace(1) %11, i64 %36
//   %38 = load <8 x i32>, ptr addrspace(1) %37, align 4, !tbaa !1, !llvm.access.group !6
//   store i32 0, ptr %phi, align 4
//   store <8 x i32> %38, ptr %value3, align 32
//   store i64 %36, ptr %value13, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %39 = load i32, ptr %phi, align 4
//   %40 = icmp samesign ult i32 %39, 1024
//   store i32 %39, ptr %value, align 4
//   br i1 %40, label %edge, label %edge2
//
// for.body.i.i.v:                                   ; preds = %edge
//   %41 = load i32, ptr %value, align 4
//   %42 = zext nneg i32 %41 to i64
//   %43 = getelementptr inbounds nuw i32, ptr addrspace(1) %11, i64 %42
//   %44 = load i32, ptr addrspace(1) %43, align 4, !tbaa !1, !llvm.access.group !6
//   %.splatinsert = insertelement <8 x i32> poison, i32 %44, i64 0
//   %.splat = shufflevector <8 x i32> %.splatinsert, <8 x i32> poison, <8 x i32> zeroinitializer
//   %45 = load <8 x i32>, ptr %value3, align 32
//   %46 = xor <8 x i32> %.splat, %45
//   %47 = mul i64 %42, 32
//   %48 = getelementptr i8, ptr %private, i64 %47
//   store <8 x i32> %46, ptr %48, align 32, !tbaa !1
//   %49 = add nuw nsw i32 %41, 1
//   store i32 %49, ptr %phi, align 4
//   br label %for.cond.i.i.v
//
// for.cond5.i.i.preheader.v:                        ; preds = %edge2
//   %50 = load <8 x i32>, ptr %value3, align 32
//   store i32 0, ptr %phi4, align 4
//   store <8 x i32> %50, ptr %phi5, align 32
//   br label %for.cond5.i.i.v
//
// for.cond5.i.i.v:                                  ; preds = %for.body8.i.i.v, %for.cond5.i.i.preheader.v
//   %51 = load i32, ptr %phi4, align 4
//   %52 = load <8 x i32>, ptr %phi5, align 32
//   %53 = icmp slt i32 %51, %15
//   store <8 x i32> %52, ptr %value9, align 32
//   store i32 %51, ptr %value10, align 4
//   br i1 %53, label %edge6, label %edge7
//
// for.body8.i.i.v:                                  ; preds = %edge6
//   %54 = load <8 x i32>, ptr %value9, align 32
//   %55 = and <8 x i32> %54, splat (i32 1023)
//   %56 = zext nneg <8 x i32> %55 to <8 x i64>
//   %57 = trunc <8 x i64> %56 to <8 x i32>
//   %58 = mul <8 x i32> %57, splat (i32 32)
//   %59 = add <8 x i32> %58, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
//   %60 = sext <8 x i32> %59 to <8 x i64>
//   %61 = getelementptr i8, ptr %private, <8 x i64> %60
//   %62 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %61, <8 x i1> splat (i1 true), <8 x i32> poison), !tbaa !1
//   %63 = lshr <8 x i32> %54, splat (i32 10)
//   %64 = and <8 x i32> %63, splat (i32 1023)
//   %65 = zext nneg <8 x i32> %64 to <8 x i64>
//   %66 = trunc <8 x i64> %65 to <8 x i32>
//   %67 = mul <8 x i32> %66, splat (i32 32)
//   %68 = add <8 x i32> %67, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
//   %69 = sext <8 x i32> %68 to <8 x i64>
//   %70 = getelementptr i8, ptr %private, <8 x i64> %69
//   %71 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %70, <8 x i1> splat (i1 true), <8 x i32> poison), !tbaa !1
//   %72 = mul <8 x i32> %71, splat (i32 3)
//   %73 = add <8 x i32> %62, %72
//   %74 = lshr <8 x i32> %73, splat (i32 20)
//   %75 = and <8 x i32> %74, splat (i32 1023)
//   %76 = zext nneg <8 x i32> %75 to <8 x i64>
//   %77 = trunc <8 x i64> %76 to <8 x i32>
//   %78 = mul <8 x i32> %77, splat (i32 32)
//   %79 = add <8 x i32> %78, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
//   %80 = sext <8 x i32> %79 to <8 x i64>
//   %81 = getelementptr i8, ptr %private, <8 x i64> %80
//   %82 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %81, <8 x i1> splat (i1 true), <8 x i32> poison), !tbaa !1
//   %83 = load i32, ptr %value10, align 4
//   %.splatinsert11 = insertelement <8 x i32> poison, i32 %83, i64 0
//   %.splat12 = shufflevector <8 x i32> %.splatinsert11, <8 x i32> poison, <8 x i32> zeroinitializer
//   %84 = add <8 x i32> %82, %.splat12
//   %85 = xor <8 x i32> %73, %84
//   %86 = lshr <8 x i32> %85, splat (i32 5)
//   %87 = and <8 x i32> %86, splat (i32 1023)
//   %88 = zext nneg <8 x i32> %87 to <8 x i64>
//   %89 = trunc <8 x i64> %88 to <8 x i32>
//   %90 = mul <8 x i32> %89, splat (i32 32)
//   %91 = add <8 x i32> %90, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
//   %92 = sext <8 x i32> %91 to <8 x i64>
//   %93 = getelementptr i8, ptr %private, <8 x i64> %92
//   %94 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %93, <8 x i1> splat (i1 true), <8 x i32> poison), !tbaa !1
//   %95 = lshr <8 x i32> %85, splat (i32 15)
//   %96 = and <8 x i32> %95, splat (i32 1023)
//   %97 = zext nneg <8 x i32> %96 to <8 x i64>
//   %98 = trunc <8 x i64> %97 to <8 x i32>
//   %99 = mul <8 x i32> %98, splat (i32 32)
//   %100 = add <8 x i32> %99, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
//   %101 = sext <8 x i32> %100 to <8 x i64>
//   %102 = getelementptr i8, ptr %private, <8 x i64> %101
//   %103 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %102, <8 x i1> splat (i1 true), <8 x i32> poison), !tbaa !1
//   %104 = xor <8 x i32> %94, %103
//   %105 = add <8 x i32> %85, %104
//   %106 = add nuw nsw i32 %83, 1
//   store i32 %106, ptr %phi4, align 4
//   store <8 x i32> %105, ptr %phi5, align 32
//   br label %for.cond5.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge7
//   %107 = load <8 x i32>, ptr %phi8, align 32
//   %108 = load i64, ptr %value13, align 8
//   %109 = getelementptr inbounds nuw i32, ptr addrspace(1) %13, i64 %108
//   store <8 x i32> %107, ptr addrspace(1) %109, align 4, !tbaa !1, !llvm.access.group !6
//   %110 = add nuw nsw i64 %vector, 1
//   %.splatinsert14 = insertelement <8 x i64> poison, i64 %vector, i64 0
//   %.splat15 = shufflevector <8 x i64> %.splatinsert14, <8 x i64> poison, <8 x i32> zeroinitializer
//   %111 = add <8 x i64> %.splat15, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
//   %112 = icmp samesign ult <8 x i64> %111, splat (i64 15)
//   %113 = add i64 %vector, 8
//   %114 = sub i64 %113, 0
//   %115 = icmp ult i64 %114, 16
//   br i1 %115, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   br i1 false, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge2:                                            ; preds = %for.cond.i.i.v
//   br label %for.cond5.i.i.preheader.v
//
// edge6:                                            ; preds = %for.cond5.i.i.v
//   br label %for.body8.i.i.v
//
// edge7:                                            ; preds = %for.cond5.i.i.v
//   store <8 x i32> %52, ptr %phi8, align 32
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//

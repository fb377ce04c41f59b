//! test = "unroll-private"
//! functions = ["k"]
//! local = [64]
//! lanes = 4
// The loops that step through `sum` are unrolled, and its elements are values. The loop over `n`
// and the loop without a private array remain. So does the loop over `large`, which needs more
// registers than a processor has.
kernel void k(global const float *in, global float *out, int n) {
  float sum[2];
  for (int i = 0; i < 2; i++) sum[i] = 0.0f;
  for (int t = 0; t < n; t++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 2; i++) sum[i] += in[t * 2 + i];
  }
  for (int j = 0; j < 40; j++) out[j * 2] = in[j];
  for (int i = 0; i < 2; i++) out[get_global_id(0) * 2 + i] = sum[i];
  float large[64];
  for (int i = 0; i < 64; i++) large[i] = in[i] * sum[1];
  out[n] = large[n];
}
//---- expected ----
// ; Function Attrs: convergent nounwind
// define dso_local void @k(ptr addrspace(1) noundef align 4 %in, ptr addrspace(1) noundef align 4 %out, i32 noundef %n) #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %large.i = alloca [64 x float], align 4
//   br label %for.cond1.i
//
// for.cond1.i:                                      ; preds = %entry, %for.body4.i
//   %sum.i.sroa.6.0 = phi float [ 0.000000e+00, %entry ], [ %add14.i.1, %for.body4.i ]
//   %sum.i.sroa.0.0 = phi float [ 0.000000e+00, %entry ], [ %add14.i, %for.body4.i ]
//   %t.i.0 = phi i32 [ 0, %entry ], [ %inc19.i, %for.body4.i ]
//   %cmp2.i = icmp slt i32 %t.i.0, %n
//   br i1 %cmp2.i, label %for.body4.i, label %for.cond21.i
//
// for.body4.i:                                      ; preds = %for.cond1.i
//   call void @__muxcl_barrier()
//   %mul.i = shl nuw nsw i32 %t.i.0, 1
//   %idxprom10.i = zext nneg i32 %mul.i to i64
//   %arrayidx11.i = getelementptr inbounds nuw float, ptr addrspace(1) %in, i64 %idxprom10.i
//   %0 = load float, ptr addrspace(1) %arrayidx11.i, align 4, !tbaa !10
//   %add14.i = fadd float %sum.i.sroa.0.0, %0
//   %arrayidx11.i.1 = getelementptr inbounds nuw i8, ptr addrspace(1) %arrayidx11.i, i64 4
//   %1 = load float, ptr addrspace(1) %arrayidx11.i.1, align 4, !tbaa !10
//   %add14.i.1 = fadd float %sum.i.sroa.6.0, %1
//   %inc19.i = add nuw nsw i32 %t.i.0, 1
//   br label %for.cond1.i
//
// for.cond21.i:                                     ; preds = %for.cond1.i, %for.body24.i
//   %j.i.0 = phi i32 [ %inc31.i, %for.body24.i ], [ 0, %for.cond1.i ]
//   %cmp22.i = icmp samesign ult i32 %j.i.0, 40
//   br i1 %cmp22.i, label %for.body24.i, label %for.body37.i
//
// for.body24.i:                                     ; preds = %for.cond21.i
//   %idxprom25.i = zext nneg i32 %j.i.0 to i64
//   %arrayidx26.i = getelementptr inbounds nuw float, ptr addrspace(1) %in, i64 %idxprom25.i
//   %2 = load float, ptr addrspace(1) %arrayidx26.i, align 4, !tbaa !10
//   %mul27.i = shl nuw nsw i32 %j.i.0, 1
//   %idxprom28.i = zext nneg i32 %mul27.i to i64
//   %arrayidx29.i = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %idxprom28.i
//   store float %2, ptr addrspace(1) %arrayidx29.i, align 4, !tbaa !10
//   %inc31.i = add nuw nsw i32 %j.i.0, 1
//   br label %for.cond21.i
//
// for.body37.i:                                     ; preds = %for.cond21.i
//   %call.i = call i64 @_Z13get_global_idj(i32 noundef 0) #2
//   %.idx = shl i64 %call.i, 3
//   %3 = getelementptr inbounds nuw i8, ptr addrspace(1) %out, i64 %.idx
//   store float %sum.i.sroa.0.0, ptr addrspace(1) %3, align 4, !tbaa !10
//   %arrayidx42.i.1 = getelementptr inbounds nuw i8, ptr addrspace(1) %3, i64 4
//   store float %sum.i.sroa.6.0, ptr addrspace(1) %arrayidx42.i.1, align 4, !tbaa !10
//   call void @llvm.lifetime.start.p0(ptr nonnull %large.i) #4
//   br label %for.cond47.i
//
// for.cond47.i:                                     ; preds = %for.body51.i, %for.body37.i
//   %i46.i.0 = phi i32 [ 0, %for.body37.i ], [ %inc59.i, %for.body51.i ]
//   %cmp48.i = icmp samesign ult i32 %i46.i.0, 64
//   br i1 %cmp48.i, label %for.body51.i, label %__clang_ocl_kern_imp_k.exit
//
// for.body51.i:                                     ; preds = %for.cond47.i
//   %idxprom52.i = zext nneg i32 %i46.i.0 to i64
//   %arrayidx53.i = getelementptr inbounds nuw float, ptr addrspace(1) %in, i64 %idxprom52.i
//   %4 = load float, ptr addrspace(1) %arrayidx53.i, align 4, !tbaa !10
//   %mul55.i = fmul float %4, %sum.i.sroa.6.0
//   %arrayidx57.i = getelementptr inbounds nuw float, ptr %large.i, i64 %idxprom52.i
//   store float %mul55.i, ptr %arrayidx57.i, align 4, !tbaa !10
//   %inc59.i = add nuw nsw i32 %i46.i.0, 1
//   br label %for.cond47.i
//
// __clang_ocl_kern_imp_k.exit:                      ; preds = %for.cond47.i
//   %idxprom61.i = sext i32 %n to i64
//   %arrayidx62.i = getelementptr inbounds float, ptr %large.i, i64 %idxprom61.i
//   %5 = load float, ptr %arrayidx62.i, align 4, !tbaa !10
//   %arrayidx64.i = getelementptr inbounds float, ptr addrspace(1) %out, i64 %idxprom61.i
//   store float %5, ptr addrspace(1) %arrayidx64.i, align 4, !tbaa !10
//   call void @llvm.lifetime.end.p0(ptr nonnull %large.i) #4
//   ret void
// }
//

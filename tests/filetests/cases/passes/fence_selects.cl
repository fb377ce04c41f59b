//! test = "fence-selects"
//! functions = ["muxcl.kernel.k"]
//! cpu = "x86-64-v4"
//! local = [1]
// A select of a bit operation on three values gets a fence; one of a sum gets none.
kernel void k(global int8 *a) {
  int8 x = a[0], y = a[1], m = a[2];
  a[3] = (x < y) ? ((x & ~m) | (y & m)) : x;
  a[4] = (x < m) ? x + y : x;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #0 {
// entry:
//   %0 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %1 = load <8 x i32>, ptr addrspace(1) %0, align 32, !tbaa !6, !llvm.access.group !7
//   %arrayidx1.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %0, i64 32
//   %arrayidx2.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %0, i64 64
//   %arrayidx5.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %0, i64 96
//   %arrayidx10.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %0, i64 128
//   %2 = load <8 x i32>, ptr addrspace(1) %arrayidx1.i.i, align 32, !tbaa !6, !llvm.access.group !7
//   %3 = load <8 x i32>, ptr addrspace(1) %arrayidx2.i.i, align 32, !tbaa !6, !llvm.access.group !7
//   %cmp.i.i.le.le = icmp slt <8 x i32> %1, %2
//   %not.i.i.le.le = xor <8 x i32> %3, splat (i32 -1)
//   %and.i.i.le.le = and <8 x i32> %1, %not.i.i.le.le
//   %and3.i.i.le.le = and <8 x i32> %2, %3
//   %or.i.i.le.le = or <8 x i32> %and.i.i.le.le, %and3.i.i.le.le
//   %4 = bitcast <8 x i32> %or.i.i.le.le to <8 x float>
//   %5 = call <8 x float> @llvm.arithmetic.fence.v8f32(<8 x float> %4)
//   %6 = bitcast <8 x float> %5 to <8 x i32>
//   %cond.i.i.le.le = select <8 x i1> %cmp.i.i.le.le, <8 x i32> %6, <8 x i32> %1
//   %cmp6.i.i.le.le = icmp slt <8 x i32> %1, %3
//   %add.i.i.le.le = select <8 x i1> %cmp6.i.i.le.le, <8 x i32> %2, <8 x i32> zeroinitializer
//   %cond9.i.i.le.le = add <8 x i32> %1, %add.i.i.le.le
//   store <8 x i32> %cond.i.i.le.le, ptr addrspace(1) %arrayidx5.i.i, align 32, !tbaa !6
//   store <8 x i32> %cond9.i.i.le.le, ptr addrspace(1) %arrayidx10.i.i, align 32, !tbaa !6
//   ret void
// }
//

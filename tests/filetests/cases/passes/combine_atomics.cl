//! test = "combine-atomics"
//! functions = ["muxcl.kernel.k", "muxcl.combine.miss.add.i32", "muxcl.combine.flush.add.i32", "muxcl.combine.finish.add.i32"]
//! local = [64]
// Operations without a result combine in the table of the thread.
kernel void k(global const int *in, global int *counts) {
  uint x = get_global_id(0);
  int v = in[x];
  atomic_add(counts + v, 3);
  if (v > 5) atomic_sub(counts, v);
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %0, ptr noalias noundef nonnull readonly align 8 %1) #1 {
// entry:
//   %left.i = load atomic i64, ptr @muxcl.combine.paused.muxcl.kernel.k monotonic, align 8
//   %now.i = icmp eq i64 %left.i, 0
//   br i1 %now.i, label %look.i, label %later.i
//
// look.i:                                           ; preds = %entry
//   %extra.at.i = getelementptr i8, ptr %1, i64 112
//   %extra.i = load ptr, ptr %extra.at.i, align 8
//   %table.at.i = getelementptr i8, ptr %extra.i, i64 88
//   %table.i = load ptr, ptr %table.at.i, align 8
//   %finish.at.i = getelementptr i8, ptr %table.i, i64 16
//   %finish.i = load ptr, ptr %finish.at.i, align 8
//   %is.new.i = icmp eq ptr %finish.i, null
//   %mask.i = load i64, ptr %table.i, align 64
//   %is.on.i = icmp ne i64 %mask.i, 0
//   %use.i = or i1 %is.new.i, %is.on.i
//   br label %muxcl.combine.combines.add.i32.exit
//
// later.i:                                          ; preds = %entry
//   %x.at.i = getelementptr i8, ptr %1, i64 88
//   %y.at.i = getelementptr i8, ptr %1, i64 96
//   %z.at.i = getelementptr i8, ptr %1, i64 104
//   %x.i = load i64, ptr %x.at.i, align 8
//   %y.i = load i64, ptr %y.at.i, align 8
//   %z.i = load i64, ptr %z.at.i, align 8
//   %xy.i = mul i64 %x.i, %y.i
//   %groups.i = mul i64 %xy.i, %z.i
//   %less.i = call i64 @llvm.usub.sat.i64(i64 %left.i, i64 %groups.i)
//   store atomic i64 %less.i, ptr @muxcl.combine.paused.muxcl.kernel.k monotonic, align 8
//   br label %muxcl.combine.combines.add.i32.exit
//
// muxcl.combine.combines.add.i32.exit:              ; preds = %later.i, %look.i
//   %2 = phi i1 [ %use.i, %look.i ], [ false, %later.i ]
//   br i1 %2, label %combining, label %direct
//
// direct:                                           ; preds = %muxcl.combine.combines.add.i32.exit
//   call void @muxcl.kernel.k.direct(ptr %0, ptr %1)
//   ret void
//
// combining:                                        ; preds = %muxcl.combine.combines.add.i32.exit
//   call void @muxcl.kernel.k.combining(ptr %0, ptr %1)
//   ret void
// }
//
// ; Function Attrs: cold noinline nounwind
// define internal void @muxcl.combine.miss.add.i32(ptr %table, ptr %entry, ptr addrspace(1) %p, i32 %v) #5 {
//   %tag = load i64, ptr %entry, align 16
//   %operand = getelementptr i8, ptr %entry, i64 8
//   %old = load i32, ptr %operand, align 4
//   %a = ptrtoint ptr addrspace(1) %p to i64
//   %first = or i64 %a, 1
//   %second = icmp eq i64 %tag, %first
//   br i1 %second, label %combine, label %other
//
// combine:                                          ; preds = %0
//   %new = add i32 %old, %v
//   store i32 %new, ptr %operand, align 4
//   store i64 %a, ptr %entry, align 16
//   ret void
//
// other:                                            ; preds = %0
//   %free = icmp eq i64 %tag, 0
//   br i1 %free, label %insert, label %evict
//
// evict:                                            ; preds = %other
//   %tag.address = and i64 %tag, -2
//   %q = inttoptr i64 %tag.address to ptr addrspace(1)
//   %1 = atomicrmw add ptr addrspace(1) %q, i32 %old monotonic, align 4
//   %mask = load i64, ptr %table, align 64
//   %is.small = icmp eq i64 %mask, 240
//   %once = trunc i64 %tag to i1
//   %reused = xor i1 %once, true
//   %is.large = xor i1 %is.small, true
//   %useful = and i1 %reused, %is.large
//   %change = select i1 %useful, i64 2, i64 -1
//   %credit.at = getelementptr i8, ptr %table, i64 8
//   %credit = load i64, ptr %credit.at, align 8
//   %sum = add i64 %credit, %change
//   %below = icmp slt i64 %sum, 128
//   %next = select i1 %below, i64 %sum, i64 128
//   store i64 %next, ptr %credit.at, align 8
//   %spent = icmp slt i64 %next, 0
//   br i1 %spent, label %change.mode, label %insert
//
// insert:                                           ; preds = %evict, %other
//   store i64 %first, ptr %entry, align 16
//   store i32 %v, ptr %operand, align 4
//   ret void
//
// change.mode:                                      ; preds = %evict
//   store i64 0, ptr %entry, align 16
//   %ignored = call i64 @muxcl.combine.flush.add.i32(ptr %table)
//   %entries = getelementptr i8, ptr %table, i64 64
//   %window.at = getelementptr i8, ptr %table, i64 40
//   br i1 %is.small, label %grow, label %stop
//
// grow:                                             ; preds = %change.mode
//   call void @llvm.memset.p0.i64(ptr align 64 %entries, i8 0, i64 16384, i1 false)
//   store i64 16368, ptr %table, align 64
//   store i64 128, ptr %credit.at, align 8
//   %page = and i64 %a, -4096
//   %window.first = sub i64 %page, 4096
//   store i64 %window.first, ptr %window.at, align 8
//   %window = getelementptr i8, ptr %table, i64 16448
//   br label %clear
//
// clear:                                            ; preds = %clear, %grow
//   %offset = phi i64 [ 0, %grow ], [ %offset.next, %clear ]
//   %line = getelementptr i8, ptr %window, i64 %offset
//   store <16 x i32> zeroinitializer, ptr %line, align 64
//   %offset.next = add i64 %offset, 64
//   %more = icmp ult i64 %offset.next, 16384
//   br i1 %more, label %clear, label %direct
//
// stop:                                             ; preds = %change.mode
//   store i64 -1, ptr %window.at, align 8
//   store i64 0, ptr %entries, align 64
//   store i64 0, ptr %table, align 64
//   br label %direct
//
// direct:                                           ; preds = %stop, %clear
//   %2 = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic, align 4
//   ret void
// }
//
// ; Function Attrs: noinline nounwind
// define internal i64 @muxcl.combine.flush.add.i32(ptr %table) #3 {
//   %mask = load i64, ptr %table, align 64
//   %entries = getelementptr i8, ptr %table, i64 64
//   %number = ptrtoint ptr %table to i64
//   %start = lshr i64 %number, 19
//   br label %next
//
// next:                                             ; preds = %done, %0
//   %n = phi i64 [ 0, %0 ], [ %n.next, %done ]
//   %unused = phi i64 [ 0, %0 ], [ %unused.next, %done ]
//   %moved = add i64 %n, %start
//   %at = and i64 %moved, %mask
//   %entry = getelementptr i8, ptr %entries, i64 %at
//   %tag = load i64, ptr %entry, align 16
//   %free = icmp eq i64 %tag, 0
//   br i1 %free, label %done, label %write
//
// write:                                            ; preds = %next
//   %operand = getelementptr i8, ptr %entry, i64 8
//   %old = load i32, ptr %operand, align 4
//   %tag.address = and i64 %tag, -2
//   %q = inttoptr i64 %tag.address to ptr addrspace(1)
//   %1 = atomicrmw add ptr addrspace(1) %q, i32 %old monotonic, align 4
//   %once = trunc i64 %tag to i1
//   %change = select i1 %once, i64 1, i64 -1
//   %sum = add i64 %unused, %change
//   br label %done
//
// done:                                             ; preds = %write, %next
//   %unused.next = phi i64 [ %unused, %next ], [ %sum, %write ]
//   %n.next = add i64 %n, 16
//   %more = icmp ule i64 %n.next, %mask
//   br i1 %more, label %next, label %end
//
// end:                                              ; preds = %done
//   %window.at = getelementptr i8, ptr %table, i64 40
//   %window.first = load i64, ptr %window.at, align 8
//   %no.window = icmp eq i64 %window.first, -1
//   br i1 %no.window, label %return, label %window
//
// window:                                           ; preds = %end
//   %elements = getelementptr i8, ptr %table, i64 16448
//   %line.start = and i64 %start, -64
//   br label %line
//
// line:                                             ; preds = %line.done, %window
//   %l = phi i64 [ 0, %window ], [ %l.next, %line.done ]
//   %l.moved = add i64 %l, %line.start
//   %l.offset = and i64 %l.moved, 16383
//   %line.at = getelementptr i8, ptr %elements, i64 %l.offset
//   %operands = load <16 x i32>, ptr %line.at, align 64
//   %used = icmp ne <16 x i32> %operands, zeroinitializer
//   %used.bits = bitcast <16 x i1> %used to i16
//   %none = icmp eq i16 %used.bits, 0
//   br i1 %none, label %line.done, label %element
//
// element:                                          ; preds = %element.done, %line
//   %e = phi i64 [ 0, %line ], [ %e.next, %element.done ]
//   %e.offset = add i64 %l.offset, %e
//   %e.at = getelementptr i8, ptr %elements, i64 %e.offset
//   %e.operand = load i32, ptr %e.at, align 4
//   %e.none = icmp eq i32 %e.operand, 0
//   br i1 %e.none, label %element.done, label %element.write
//
// element.write:                                    ; preds = %element
//   %e.address = add i64 %window.first, %e.offset
//   %e.q = inttoptr i64 %e.address to ptr addrspace(1)
//   %2 = atomicrmw add ptr addrspace(1) %e.q, i32 %e.operand monotonic, align 4
//   br label %element.done
//
// element.done:                                     ; preds = %element.write, %element
//   %e.next = add i64 %e, 4
//   %e.more = icmp ult i64 %e.next, 64
//   br i1 %e.more, label %element, label %line.done
//
// line.done:                                        ; preds = %element.done, %line
//   %l.next = add i64 %l, 64
//   %l.more = icmp ult i64 %l.next, 16384
//   br i1 %l.more, label %line, label %return
//
// return:                                           ; preds = %line.done, %end
//   ret i64 %unused.next
// }
//
// ; Function Attrs: noinline nounwind
// define internal void @muxcl.combine.finish.add.i32(ptr %table) #3 {
//   %unused = call i64 @muxcl.combine.flush.add.i32(ptr %table)
//   %mask = load i64, ptr %table, align 64
//   %off = icmp eq i64 %mask, 0
//   %groups.at = getelementptr i8, ptr %table, i64 32
//   %groups = load i64, ptr %groups.at, align 8
//   %several = icmp ugt i64 %groups, 1
//   %many = icmp sgt i64 %unused, 8
//   %few.used = and i1 %several, %many
//   %useless = or i1 %off, %few.used
//   br i1 %useless, label %pause, label %end
//
// pause:                                            ; preds = %0
//   %more = mul i64 %groups, 63
//   %paused.at = getelementptr i8, ptr %table, i64 24
//   %paused = load ptr, ptr %paused.at, align 8
//   store atomic i64 %more, ptr %paused monotonic, align 8
//   br label %end
//
// end:                                              ; preds = %pause, %0
//   ret void
// }
//

//! test = "work-item-params"
//! functions = ["f", "g", "k"]
// Neither function is inlined, so both need the item record.
__attribute__((noinline)) ulong f(uint d) {
    ulong s = 0;
    for (uint i = 0; i < d; i++) s += get_global_id(i) * s + get_group_id(0);
    return s;
}
__attribute__((noinline)) ulong g(uint d) {
    ulong s = 1;
    for (uint i = 0; i < d * 2; i++) s ^= f(i) + f(i + 1) * f(s) - f(s * 3) + f(~s);
    return s;
}
kernel void k(global ulong *a) { a[g(3)] = get_local_id(0); a[g(4)] = f(2); }
//---- expected ----
// no function f
// ; Function Attrs: nounwind
// define internal i64 @g(i32 noundef %d, ptr %0) #2 {
// entry:
//   br label %for.cond
//
// for.cond:                                         ; preds = %f.exit65, %entry
//   %s.0 = phi i64 [ 1, %entry ], [ %xor, %f.exit65 ]
//   %i.0 = phi i32 [ 0, %entry ], [ %add, %f.exit65 ]
//   %mul = shl i32 %d, 1
//   %cmp = icmp ult i32 %i.0, %mul
//   br i1 %cmp, label %for.cond.i, label %for.end
//
// for.cond.i:                                       ; preds = %for.body.i, %for.cond
//   %s.0.i = phi i64 [ %add2.i, %for.body.i ], [ 0, %for.cond ]
//   %i.0.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %for.cond ]
//   %cmp.i = icmp ult i32 %i.0.i, %i.0
//   br i1 %cmp.i, label %for.body.i, label %f.exit
//
// for.body.i:                                       ; preds = %for.cond.i
//   %1 = icmp eq i32 %i.0.i, 2
//   %2 = getelementptr inbounds i8, ptr %0, i64 40
//   %3 = load i64, ptr %2, align 8
//   %4 = getelementptr inbounds i8, ptr %0, i64 88
//   %5 = load i64, ptr %4, align 8
//   %6 = mul nuw i64 %3, %5
//   %7 = getelementptr inbounds i8, ptr %0, i64 136
//   %8 = load i64, ptr %7, align 8
//   %9 = add nuw i64 %6, %8
//   %10 = getelementptr inbounds i8, ptr %0, i64 16
//   %11 = load i64, ptr %10, align 8
//   %12 = add nuw i64 %9, %11
//   %13 = select i1 %1, i64 %12, i64 0
//   %14 = icmp eq i32 %i.0.i, 1
//   %15 = getelementptr inbounds i8, ptr %0, i64 32
//   %16 = load i64, ptr %15, align 8
//   %17 = getelementptr inbounds i8, ptr %0, i64 80
//   %18 = load i64, ptr %17, align 8
//   %19 = mul nuw i64 %16, %18
//   %20 = getelementptr inbounds i8, ptr %0, i64 128
//   %21 = load i64, ptr %20, align 8
//   %22 = add nuw i64 %19, %21
//   %23 = getelementptr inbounds i8, ptr %0, i64 8
//   %24 = load i64, ptr %23, align 8
//   %25 = add nuw i64 %22, %24
//   %26 = select i1 %14, i64 %25, i64 %13
//   %27 = icmp eq i32 %i.0.i, 0
//   %28 = getelementptr inbounds i8, ptr %0, i64 24
//   %29 = load i64, ptr %28, align 8
//   %30 = getelementptr inbounds i8, ptr %0, i64 72
//   %31 = load i64, ptr %30, align 8
//   %32 = mul nuw i64 %29, %31
//   %33 = getelementptr inbounds i8, ptr %0, i64 120
//   %34 = load i64, ptr %33, align 8
//   %35 = add nuw i64 %32, %34
//   %36 = load i64, ptr %0, align 8
//   %37 = add nuw i64 %35, %36
//   %38 = select i1 %27, i64 %37, i64 %26
//   %mul.i = mul i64 %38, %s.0.i
//   %39 = getelementptr inbounds i8, ptr %0, i64 24
//   %40 = load i64, ptr %39, align 8
//   %add.i = add i64 %mul.i, %40
//   %add2.i = add i64 %s.0.i, %add.i
//   %inc.i = add i32 %i.0.i, 1
//   br label %for.cond.i
//
// f.exit:                                           ; preds = %for.cond.i
//   %add = add i32 %i.0, 1
//   br label %for.cond.i18
//
// for.cond.i18:                                     ; preds = %for.body.i22, %f.exit
//   %s.0.i19 = phi i64 [ 0, %f.exit ], [ %add2.i27, %for.body.i22 ]
//   %i.0.i20 = phi i32 [ 0, %f.exit ], [ %inc.i28, %for.body.i22 ]
//   %cmp.i21 = icmp ult i32 %i.0.i20, %add
//   br i1 %cmp.i21, label %for.body.i22, label %f.exit29
//
// for.body.i22:                                     ; preds = %for.cond.i18
//   %41 = icmp eq i32 %i.0.i20, 2
//   %42 = getelementptr inbounds i8, ptr %0, i64 40
//   %43 = load i64, ptr %42, align 8
//   %44 = getelementptr inbounds i8, ptr %0, i64 88
//   %45 = load i64, ptr %44, align 8
//   %46 = mul nuw i64 %43, %45
//   %47 = getelementptr inbounds i8, ptr %0, i64 136
//   %48 = load i64, ptr %47, align 8
//   %49 = add nuw i64 %46, %48
//   %50 = getelementptr inbounds i8, ptr %0, i64 16
//   %51 = load i64, ptr %50, align 8
//   %52 = add nuw i64 %49, %51
//   %53 = select i1 %41, i64 %52, i64 0
//   %54 = icmp eq i32 %i.0.i20, 1
//   %55 = getelementptr inbounds i8, ptr %0, i64 32
//   %56 = load i64, ptr %55, align 8
//   %57 = getelementptr inbounds i8, ptr %0, i64 80
//   %58 = load i64, ptr %57, align 8
//   %59 = mul nuw i64 %56, %58
//   %60 = getelementptr inbounds i8, ptr %0, i64 128
//   %61 = load i64, ptr %60, align 8
//   %62 = add nuw i64 %59, %61
//   %63 = getelementptr inbounds i8, ptr %0, i64 8
//   %64 = load i64, ptr %63, align 8
//   %65 = add nuw i64 %62, %64
//   %66 = select i1 %54, i64 %65, i64 %53
//   %67 = icmp eq i32 %i.0.i20, 0
//   %68 = getelementptr inbounds i8, ptr %0, i64 24
//   %69 = load i64, ptr %68, align 8
//   %70 = getelementptr inbounds i8, ptr %0, i64 72
//   %71 = load i64, ptr %70, align 8
//   %72 = mul nuw i64 %69, %71
//   %73 = getelementptr inbounds i8, ptr %0, i64 120
//   %74 = load i64, ptr %73, align 8
//   %75 = add nuw i64 %72, %74
//   %76 = load i64, ptr %0, align 8
//   %77 = add nuw i64 %75, %76
//   %78 = select i1 %67, i64 %77, i64 %66
//   %mul.i24 = mul i64 %78, %s.0.i19
//   %79 = getelementptr inbounds i8, ptr %0, i64 24
//   %80 = load i64, ptr %79, align 8
//   %add.i26 = add i64 %mul.i24, %80
//   %add2.i27 = add i64 %s.0.i19, %add.i26
//   %inc.i28 = add i32 %i.0.i20, 1
//   br label %for.cond.i18
//
// f.exit29:                                         ; preds = %for.cond.i18
//   %conv = trunc i64 %s.0 to i32
//   br label %for.cond.i30
//
// for.cond.i30:                                     ; preds = %for.body.i34, %f.exit29
//   %s.0.i31 = phi i64 [ 0, %f.exit29 ], [ %add2.i39, %for.body.i34 ]
//   %i.0.i32 = phi i32 [ 0, %f.exit29 ], [ %inc.i40, %for.body.i34 ]
//   %cmp.i33 = icmp ult i32 %i.0.i32, %conv
//   br i1 %cmp.i33, label %for.body.i34, label %f.exit41
//
// for.body.i34:                                     ; preds = %for.cond.i30
//   %81 = icmp eq i32 %i.0.i32, 2
//   %82 = getelementptr inbounds i8, ptr %0, i64 40
//   %83 = load i64, ptr %82, align 8
//   %84 = getelementptr inbounds i8, ptr %0, i64 88
//   %85 = load i64, ptr %84, align 8
//   %86 = mul nuw i64 %83, %85
//   %87 = getelementptr inbounds i8, ptr %0, i64 136
//   %88 = load i64, ptr %87, align 8
//   %89 = add nuw i64 %86, %88
//   %90 = getelementptr inbounds i8, ptr %0, i64 16
//   %91 = load i64, ptr %90, align 8
//   %92 = add nuw i64 %89, %91
//   %93 = select i1 %81, i64 %92, i64 0
//   %94 = icmp eq i32 %i.0.i32, 1
//   %95 = getelementptr inbounds i8, ptr %0, i64 32
//   %96 = load i64, ptr %95, align 8
//   %97 = getelementptr inbounds i8, ptr %0, i64 80
//   %98 = load i64, ptr %97, align 8
//   %99 = mul nuw i64 %96, %98
//   %100 = getelementptr inbounds i8, ptr %0, i64 128
//   %101 = load i64, ptr %100, align 8
//   %102 = add nuw i64 %99, %101
//   %103 = getelementptr inbounds i8, ptr %0, i64 8
//   %104 = load i64, ptr %103, align 8
//   %105 = add nuw i64 %102, %104
//   %106 = select i1 %94, i64 %105, i64 %93
//   %107 = icmp eq i32 %i.0.i32, 0
//   %108 = getelementptr inbounds i8, ptr %0, i64 24
//   %109 = load i64, ptr %108, align 8
//   %110 = getelementptr inbounds i8, ptr %0, i64 72
//   %111 = load i64, ptr %110, align 8
//   %112 = mul nuw i64 %109, %111
//   %113 = getelementptr inbounds i8, ptr %0, i64 120
//   %114 = load i64, ptr %113, align 8
//   %115 = add nuw i64 %112, %114
//   %116 = load i64, ptr %0, align 8
//   %117 = add nuw i64 %115, %116
//   %118 = select i1 %107, i64 %117, i64 %106
//   %mul.i36 = mul i64 %118, %s.0.i31
//   %119 = getelementptr inbounds i8, ptr %0, i64 24
//   %120 = load i64, ptr %119, align 8
//   %add.i38 = add i64 %mul.i36, %120
//   %add2.i39 = add i64 %s.0.i31, %add.i38
//   %inc.i40 = add i32 %i.0.i32, 1
//   br label %for.cond.i30
//
// f.exit41:                                         ; preds = %for.cond.i30
//   %mul3 = mul i64 %s.0.i19, %s.0.i31
//   %add4 = add i64 %s.0.i, %mul3
//   %conv6 = mul i32 %conv, 3
//   br label %for.cond.i42
//
// for.cond.i42:                                     ; preds = %for.body.i46, %f.exit41
//   %s.0.i43 = phi i64 [ 0, %f.exit41 ], [ %add2.i51, %for.body.i46 ]
//   %i.0.i44 = phi i32 [ 0, %f.exit41 ], [ %inc.i52, %for.body.i46 ]
//   %cmp.i45 = icmp ult i32 %i.0.i44, %conv6
//   br i1 %cmp.i45, label %for.body.i46, label %f.exit53
//
// for.body.i46:                                     ; preds = %for.cond.i42
//   %121 = icmp eq i32 %i.0.i44, 2
//   %122 = getelementptr inbounds i8, ptr %0, i64 40
//   %123 = load i64, ptr %122, align 8
//   %124 = getelementptr inbounds i8, ptr %0, i64 88
//   %125 = load i64, ptr %124, align 8
//   %126 = mul nuw i64 %123, %125
//   %127 = getelementptr inbounds i8, ptr %0, i64 136
//   %128 = load i64, ptr %127, align 8
//   %129 = add nuw i64 %126, %128
//   %130 = getelementptr inbounds i8, ptr %0, i64 16
//   %131 = load i64, ptr %130, align 8
//   %132 = add nuw i64 %129, %131
//   %133 = select i1 %121, i64 %132, i64 0
//   %134 = icmp eq i32 %i.0.i44, 1
//   %135 = getelementptr inbounds i8, ptr %0, i64 32
//   %136 = load i64, ptr %135, align 8
//   %137 = getelementptr inbounds i8, ptr %0, i64 80
//   %138 = load i64, ptr %137, align 8
//   %139 = mul nuw i64 %136, %138
//   %140 = getelementptr inbounds i8, ptr %0, i64 128
//   %141 = load i64, ptr %140, align 8
//   %142 = add nuw i64 %139, %141
//   %143 = getelementptr inbounds i8, ptr %0, i64 8
//   %144 = load i64, ptr %143, align 8
//   %145 = add nuw i64 %142, %144
//   %146 = select i1 %134, i64 %145, i64 %133
//   %147 = icmp eq i32 %i.0.i44, 0
//   %148 = getelementptr inbounds i8, ptr %0, i64 24
//   %149 = load i64, ptr %148, align 8
//   %150 = getelementptr inbounds i8, ptr %0, i64 72
//   %151 = load i64, ptr %150, align 8
//   %152 = mul nuw i64 %149, %151
//   %153 = getelementptr inbounds i8, ptr %0, i64 120
//   %154 = load i64, ptr %153, align 8
//   %155 = add nuw i64 %152, %154
//   %156 = load i64, ptr %0, align 8
//   %157 = add nuw i64 %155, %156
//   %158 = select i1 %147, i64 %157, i64 %146
//   %mul.i48 = mul i64 %158, %s.0.i43
//   %159 = getelementptr inbounds i8, ptr %0, i64 24
//   %160 = load i64, ptr %159, align 8
//   %add.i50 = add i64 %mul.i48, %160
//   %add2.i51 = add i64 %s.0.i43, %add.i50
//   %inc.i52 = add i32 %i.0.i44, 1
//   br label %for.cond.i42
//
// f.exit53:                                         ; preds = %for.cond.i42
//   %sub = sub i64 %add4, %s.0.i43
//   %conv8 = xor i32 %conv, -1
//   br label %for.cond.i54
//
// for.cond.i54:                                     ; preds = %for.body.i58, %f.exit53
//   %s.0.i55 = phi i64 [ 0, %f.exit53 ], [ %add2.i63, %for.body.i58 ]
//   %i.0.i56 = phi i32 [ 0, %f.exit53 ], [ %inc.i64, %for.body.i58 ]
//   %cmp.i57 = icmp ult i32 %i.0.i56, %conv8
//   br i1 %cmp.i57, label %for.body.i58, label %f.exit65
//
// for.body.i58:                                     ; preds = %for.cond.i54
//   %161 = icmp eq i32 %i.0.i56, 2
//   %162 = getelementptr inbounds i8, ptr %0, i64 40
//   %163 = load i64, ptr %162, align 8
//   %164 = getelementptr inbounds i8, ptr %0, i64 88
//   %165 = load i64, ptr %164, align 8
//   %166 = mul nuw i64 %163, %165
//   %167 = getelementptr inbounds i8, ptr %0, i64 136
//   %168 = load i64, ptr %167, align 8
//   %169 = add nuw i64 %166, %168
//   %170 = getelementptr inbounds i8, ptr %0, i64 16
//   %171 = load i64, ptr %170, align 8
//   %172 = add nuw i64 %169, %171
//   %173 = select i1 %161, i64 %172, i64 0
//   %174 = icmp eq i32 %i.0.i56, 1
//   %175 = getelementptr inbounds i8, ptr %0, i64 32
//   %176 = load i64, ptr %175, align 8
//   %177 = getelementptr inbounds i8, ptr %0, i64 80
//   %178 = load i64, ptr %177, align 8
//   %179 = mul nuw i64 %176, %178
//   %180 = getelementptr inbounds i8, ptr %0, i64 128
//   %181 = load i64, ptr %180, align 8
//   %182 = add nuw i64 %179, %181
//   %183 = getelementptr inbounds i8, ptr %0, i64 8
//   %184 = load i64, ptr %183, align 8
//   %185 = add nuw i64 %182, %184
//   %186 = select i1 %174, i64 %185, i64 %173
//   %187 = icmp eq i32 %i.0.i56, 0
//   %188 = getelementptr inbounds i8, ptr %0, i64 24
//   %189 = load i64, ptr %188, align 8
//   %190 = getelementptr inbounds i8, ptr %0, i64 72
//   %191 = load i64, ptr %190, align 8
//   %192 = mul nuw i64 %189, %191
//   %193 = getelementptr inbounds i8, ptr %0, i64 120
//   %194 = load i64, ptr %193, align 8
//   %195 = add nuw i64 %192, %194
//   %196 = load i64, ptr %0, align 8
//   %197 = add nuw i64 %195, %196
//   %198 = select i1 %187, i64 %197, i64 %186
//   %mul.i60 = mul i64 %198, %s.0.i55
//   %199 = getelementptr inbounds i8, ptr %0, i64 24
//   %200 = load i64, ptr %199, align 8
//   %add.i62 = add i64 %mul.i60, %200
//   %add2.i63 = add i64 %s.0.i55, %add.i62
//   %inc.i64 = add i32 %i.0.i56, 1
//   br label %for.cond.i54
//
// f.exit65:                                         ; preds = %for.cond.i54
//   %add10 = add i64 %sub, %s.0.i55
//   %xor = xor i64 %s.0, %add10
//   br label %for.cond
//
// for.end:                                          ; preds = %for.cond
//   ret i64 %s.0
// }
//
// ; Function Attrs: nounwind
// define dso_local void @k(ptr addrspace(1) noundef align 8 %a) #1 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %call.i = call i64 @_Z12get_local_idj(i32 noundef 0) #0
//   %0 = call ptr @__muxcl_item_record()
//   %1 = call i64 @g(i32 noundef 3, ptr %0) #3
//   %arrayidx.i = getelementptr inbounds nuw i64, ptr addrspace(1) %a, i64 %1
//   store i64 %call.i, ptr addrspace(1) %arrayidx.i, align 8, !tbaa !10
//   br label %for.cond.i
//
// for.cond.i:                                       ; preds = %for.body.i, %entry
//   %s.0.i = phi i64 [ 0, %entry ], [ %add2.i, %for.body.i ]
//   %i.0.i = phi i32 [ 0, %entry ], [ %inc.i, %for.body.i ]
//   %cmp.i = icmp samesign ult i32 %i.0.i, 2
//   br i1 %cmp.i, label %for.body.i, label %f.exit
//
// for.body.i:                                       ; preds = %for.cond.i
//   %call.i2 = call i64 @_Z13get_global_idj(i32 noundef %i.0.i) #0
//   %mul.i = mul i64 %call.i2, %s.0.i
//   %call1.i3 = call i64 @_Z12get_group_idj(i32 noundef 0) #0
//   %add.i = add i64 %mul.i, %call1.i3
//   %add2.i = add i64 %s.0.i, %add.i
//   %inc.i = add nuw nsw i32 %i.0.i, 1
//   br label %for.cond.i
//
// f.exit:                                           ; preds = %for.cond.i
//   %2 = call ptr @__muxcl_item_record()
//   %3 = call i64 @g(i32 noundef 4, ptr %2) #3
//   %arrayidx4.i = getelementptr inbounds nuw i64, ptr addrspace(1) %a, i64 %3
//   store i64 %s.0.i, ptr addrspace(1) %arrayidx4.i, align 8, !tbaa !10
//   ret void
// }
//

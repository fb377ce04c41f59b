// Edits of functions that LLVM offers in C++ only: cloning with a value map, inlining, splitting,
// type replacement, constant expressions to instructions, loop and access metadata.
#include "shim.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

struct MuxclMap {
  ValueToValueMapTy map;
};

extern "C" {

unsigned MuxclOpcode(LLVMValueRef v) {
  auto *i = dyn_cast<Instruction>(unwrap(v));
  return i ? static_cast<unsigned>(LLVMGetInstructionOpcode(v)) : 0;
}
unsigned MuxclIntrinsicId(LLVMValueRef v) {
  auto *f = dyn_cast<Function>(unwrap(v));
  return f ? f->getIntrinsicID() : 0;
}
int MuxclIsLifetime(LLVMValueRef v) { return isa<LifetimeIntrinsic>(unwrap(v)); }
int MuxclMayHaveSideEffects(LLVMValueRef v) {
  return cast<Instruction>(unwrap(v))->mayHaveSideEffects();
}
int MuxclMayReadMemory(LLVMValueRef v) { return cast<Instruction>(unwrap(v))->mayReadFromMemory(); }
LLVMValueRef MuxclUnderlyingObject(LLVMValueRef v) {
  return wrap(const_cast<Value *>(getUnderlyingObject(unwrap(v), 0)));
}

void MuxclRemoveCallAttribute(LLVMValueRef call, MuxclText kind) {
  cast<CallBase>(unwrap(call))->removeFnAttr(Attribute::getAttrKindFromName(kind.ref()));
}
void MuxclSetDsoLocal(LLVMValueRef v, int local) {
  cast<GlobalValue>(unwrap(v))->setDSOLocal(local);
}
void MuxclLeaveComdat(LLVMValueRef v) {
  if (auto *object = dyn_cast<GlobalObject>(unwrap(v)))
    object->setComdat(nullptr);
}
int MuxclIsMaterializable(LLVMValueRef f) {
  return cast<GlobalValue>(unwrap(f))->isMaterializable();
}
// Returns 0 for any type other than `target("...")`.
int MuxclTargetExtName(LLVMTypeRef t, MuxclSink sink) {
  auto *e = dyn_cast<TargetExtType>(unwrap(t));
  if (e)
    sink(e->getName());
  return e != nullptr;
}

// ---- value maps and cloning
// ------------------------------------------------------------
MuxclMap *MuxclMapNew() { return new MuxclMap; }
void MuxclMapDelete(MuxclMap *m) { delete m; }
void MuxclMapSet(MuxclMap *m, LLVMValueRef from, LLVMValueRef to) {
  m->map[unwrap(from)] = unwrap(to);
}
LLVMValueRef MuxclMapGet(MuxclMap *m, LLVMValueRef from) {
  return wrap(static_cast<Value *>(m->map.lookup(unwrap(from))));
}

// Appends a clone of one block to `f`, and enters block and instructions in the map. The operands
// still refer to the originals.
LLVMBasicBlockRef MuxclCloneBlock(LLVMBasicBlockRef b, MuxclMap *map, MuxclText suffix,
                                  LLVMValueRef f) {
  auto &vmap = map->map;
  BasicBlock *copy = CloneBasicBlock(unwrap(b), vmap, suffix.ref(), cast<Function>(unwrap(f)));
  vmap[unwrap(b)] = copy;
  return wrap(copy);
}
void MuxclRemapBlock(LLVMBasicBlockRef b, MuxclMap *map) {
  auto &vmap = map->map;
  for (Instruction &i : *unwrap(b)) {
    RemapInstruction(&i, vmap, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    RemapDbgRecordRange(i.getModule(), i.getDbgRecordRange(), vmap,
                        RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
  }
}
// Appends a clone of the instruction `from` to `block`, with the operands that the map has for
// those of `from`. If the clone has a simpler equivalent, such as a constant, the clone is erased.
// Enters the clone, or its equivalent, in the map, and returns it.
LLVMValueRef MuxclCloneFolded(LLVMValueRef from, MuxclMap *map, LLVMBasicBlockRef block) {
  auto *original = cast<Instruction>(unwrap(from));
  Instruction *copy = original->clone();
  copy->insertInto(unwrap(block), unwrap(block)->end());
  RemapInstruction(copy, map->map, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
  Value *result = copy;
  if (!copy->mayHaveSideEffects() && !copy->isTerminator() && !isa<AllocaInst>(copy)) {
    Value *simple = simplifyInstruction(copy, SimplifyQuery(copy->getDataLayout(), copy));
    if (simple && simple != copy) {
      copy->eraseFromParent();
      result = simple;
    }
  }
  map->map[original] = result;
  return wrap(result);
}
// The address from which the address `v` has a constant distance, and that distance in bytes.
LLVMValueRef MuxclAddressBase(LLVMValueRef v, LLVMValueRef f, int64_t *distance) {
  const DataLayout &layout = cast<Function>(unwrap(f))->getDataLayout();
  APInt sum(layout.getIndexTypeSizeInBits(unwrap(v)->getType()), 0);
  Value *base = unwrap(v)->stripAndAccumulateConstantOffsets(layout, sum, true);
  *distance = sum.getSExtValue();
  return wrap(base);
}
// Clones `f` (attributes, body) under a new name in the same module.
LLVMValueRef MuxclCloneFunction(LLVMValueRef f, MuxclText name) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(cast<Function>(unwrap(f)), map);
  copy->setName(name.ref());
  return wrap(copy);
}
// Moves the body of `from` to the empty function `to`, whose first parameters have the same types.
void MuxclSpliceBody(LLVMValueRef to, LLVMValueRef from) {
  auto *dest = cast<Function>(unwrap(to));
  auto *src = cast<Function>(unwrap(from));
  dest->splice(dest->begin(), src);
  auto d = dest->arg_begin();
  for (Argument &a : src->args()) {
    d->takeName(&a);
    a.replaceAllUsesWith(&*d);
    ++d;
  }
  if (DISubprogram *sp = src->getSubprogram()) {
    src->setSubprogram(nullptr);
    dest->setSubprogram(sp);
  }
}
void MuxclCopyFunctionAttributes(LLVMValueRef to, LLVMValueRef from) {
  auto *dest = cast<Function>(unwrap(to));
  auto *src = cast<Function>(unwrap(from));
  AttributeList old = src->getAttributes();
  SmallVector<AttributeSet, 8> args;
  for (unsigned i = 0; i < dest->arg_size(); i++)
    args.push_back(i < src->arg_size() ? old.getParamAttrs(i) : AttributeSet());
  AttributeSet ret =
      dest->getReturnType() == src->getReturnType() ? old.getRetAttrs() : AttributeSet();
  dest->setAttributes(AttributeList::get(dest->getContext(), old.getFnAttrs(), ret, args));
  dest->setCallingConv(src->getCallingConv());
  if (src->hasSection())
    dest->setSection(src->getSection());
  dest->setAlignment(src->getAlign());
}
void MuxclCopyFunctionOnlyAttributes(LLVMValueRef to, LLVMValueRef from) {
  auto *dest = cast<Function>(unwrap(to));
  auto *src = cast<Function>(unwrap(from));
  dest->setAttributes(
      AttributeList::get(dest->getContext(), src->getAttributes().getFnAttrs(), {}, {}));
}
void MuxclCopyCallAttributes(LLVMValueRef to, LLVMValueRef from) {
  auto *dest = cast<CallBase>(unwrap(to));
  auto *src = cast<CallBase>(unwrap(from));
  AttributeList old = src->getAttributes();
  SmallVector<AttributeSet, 8> args;
  for (unsigned i = 0; i < dest->arg_size(); i++)
    args.push_back(i < src->arg_size() ? old.getParamAttrs(i) : AttributeSet());
  AttributeSet ret = dest->getType() == src->getType() ? old.getRetAttrs() : AttributeSet();
  dest->setAttributes(AttributeList::get(dest->getContext(), old.getFnAttrs(), ret, args));
  dest->setCallingConv(src->getCallingConv());
  dest->setDebugLoc(src->getDebugLoc());
}

// ---- control flow
// ------------------------------------------------------------
// Splits before `i`; returns the block that starts with `i`.
LLVMBasicBlockRef MuxclSplitBlock(LLVMValueRef i, MuxclText name) {
  auto *inst = cast<Instruction>(unwrap(i));
  return wrap(inst->getParent()->splitBasicBlock(inst->getIterator(), name.ref()));
}
void MuxclPhiSetIncomingValue(LLVMValueRef phi, unsigned i, LLVMValueRef v) {
  cast<PHINode>(unwrap(phi))->setIncomingValue(i, unwrap(v));
}
void MuxclPromoteAllocas(LLVMValueRef f) {
  auto *fn = cast<Function>(unwrap(f));
  DominatorTree dt(*fn);
  for (;;) {
    SmallVector<AllocaInst *, 32> allocas;
    for (Instruction &i : fn->getEntryBlock())
      if (auto *a = dyn_cast<AllocaInst>(&i))
        if (isAllocaPromotable(a))
          allocas.push_back(a);
    if (allocas.empty())
      return;
    PromoteMemToReg(allocas, dt);
  }
}
LLVMValueRef MuxclFirstInsertionPoint(LLVMBasicBlockRef b) {
  auto it = unwrap(b)->getFirstInsertionPt();
  return it == unwrap(b)->end() ? nullptr : wrap(&*it);
}
uint64_t MuxclAllocaAlign(LLVMValueRef v) {
  return cast<AllocaInst>(unwrap(v))->getAlign().value();
}
void MuxclMoveBefore(LLVMValueRef i, LLVMValueRef before) {
  auto *inst = cast<Instruction>(unwrap(i));
  inst->moveBefore(cast<Instruction>(unwrap(before))->getIterator());
}
// The code generator moves nothing over this intrinsic, whose only effect is a local label.
void MuxclAddSchedulingBoundary(LLVMValueRef before) {
  auto *inst = cast<Instruction>(unwrap(before));
  LLVMContext &cx = inst->getContext();
  IRBuilder<> builder(inst);
  auto *name = MDNode::get(cx, {MDString::get(cx, "boundary")});
  builder.CreateIntrinsic(Intrinsic::codeview_annotation, {MetadataAsValue::get(cx, name)});
}
// Turns the uses of the constant inside constant expressions into instructions.
int MuxclConstantUsersToInstructions(LLVMValueRef c) {
  return convertUsersOfConstantsToInstructions({cast<Constant>(unwrap(c))});
}

// Deletes the unused constant expressions that still count as users of a constant.
void MuxclRemoveDeadConstantUsers(LLVMValueRef c) {
  cast<Constant>(unwrap(c))->removeDeadConstantUsers();
}

// ---- metadata
// ------------------------------------------------------------
LLVMMetadataRef MuxclGetFunctionNode(LLVMValueRef f, MuxclText kind) {
  return wrap(cast<GlobalObject>(unwrap(f))->getMetadata(kind.ref()));
}
unsigned MuxclNodeCount(LLVMMetadataRef m) {
  auto *n = dyn_cast<MDNode>(unwrap(m));
  return n ? n->getNumOperands() : 0;
}
LLVMMetadataRef MuxclNodeOperand(LLVMMetadataRef m, unsigned i) {
  return wrap(cast<MDNode>(unwrap(m))->getOperand(i).get());
}
// Returns 0 if the metadata is not a string.
int MuxclNodeString(LLVMMetadataRef m, MuxclSink sink) {
  auto *s = dyn_cast<MDString>(unwrap(m));
  if (s)
    sink(s->getString());
  return s != nullptr;
}
LLVMValueRef MuxclNodeConstant(LLVMMetadataRef m) {
  auto *c = dyn_cast_or_null<ConstantAsMetadata>(unwrap(m));
  return c ? wrap(c->getValue()) : nullptr;
}
void MuxclEraseNamedNode(LLVMModuleRef m, MuxclText name) {
  if (auto *n = unwrap(m)->getNamedMetadata(name.ref()))
    unwrap(m)->eraseNamedMetadata(n);
}
LLVMMetadataRef MuxclNewAccessGroup(LLVMContextRef c) {
  return wrap(MDNode::getDistinct(*unwrap(c), {}));
}
// Adds the group to the instruction's access group list.
void MuxclAddAccessGroup(LLVMValueRef i, LLVMMetadataRef group) {
  auto *inst = cast<Instruction>(unwrap(i));
  auto *g = cast<MDNode>(unwrap(group));
  MDNode *old = inst->getMetadata(LLVMContext::MD_access_group);
  if (!old) {
    inst->setMetadata(LLVMContext::MD_access_group, g);
    return;
  }
  SmallVector<Metadata *, 4> list;
  if (old->getNumOperands() == 0)
    list.push_back(old);
  else
    for (const MDOperand &o : old->operands())
      list.push_back(o.get());
  if (is_contained(list, g))
    return;
  list.push_back(g);
  inst->setMetadata(LLVMContext::MD_access_group, MDNode::get(inst->getContext(), list));
}
// Marks the branch as the latch of a loop that must progress, and that LLVM does not unroll.
// Accesses in `group`, if given, are parallel. `items`, if not 0, is a number of the caller:
// each iteration is a work-item (`MuxclWorkItemLoop`).
void MuxclSetWorkItemLoop(LLVMValueRef latch, LLVMMetadataRef group, int vectorize, int items) {
  auto *br = cast<Instruction>(unwrap(latch));
  LLVMContext &c = br->getContext();
  SmallVector<Metadata *, 4> ops{nullptr};
  auto add = [&](ArrayRef<Metadata *> parts) { ops.push_back(MDNode::get(c, parts)); };
  add({MDString::get(c, "llvm.loop.mustprogress")});
  if (group)
    add({MDString::get(c, "llvm.loop.parallel_accesses"), unwrap(group)});
  if (items)
    add({MDString::get(c, "muxcl.work.items"),
         ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(c), items))});
  if (!vectorize)
    add({MDString::get(c, "llvm.loop.vectorize.enable"),
         ConstantAsMetadata::get(ConstantInt::getFalse(c))});
  add({MDString::get(c, "llvm.loop.unroll.disable")});
  MDNode *id = MDNode::getDistinct(c, ops);
  id->replaceOperandWith(0, id);
  br->setMetadata(LLVMContext::MD_loop, id);
}
// Removes the marks of `MuxclSetWorkItemLoop`.
void MuxclForgetWorkItemLoop(LLVMValueRef latch) {
  cast<Instruction>(unwrap(latch))->setMetadata(LLVMContext::MD_loop, nullptr);
}
// The property of the loop of this latch branch whose name starts with `prefix`, or null.
static MDNode *loopProperty(LLVMValueRef branch, StringRef prefix) {
  auto *id = cast<Instruction>(unwrap(branch))->getMetadata(LLVMContext::MD_loop);
  if (!id)
    return nullptr;
  for (const MDOperand &op : drop_begin(id->operands()))
    if (auto *node = dyn_cast<MDNode>(op); node && node->getNumOperands() != 0)
      if (auto *s = dyn_cast<MDString>(node->getOperand(0));
          s && s->getString().starts_with(prefix))
        return node;
  return nullptr;
}
// Adds a property to the loop of this latch branch. `value` may be null. `old`, if not null, is a
// property that the loop loses.
static void addLoopProperty(LLVMValueRef latch, StringRef name, Metadata *value = nullptr,
                            const MDNode *old = nullptr) {
  auto *br = cast<Instruction>(unwrap(latch));
  LLVMContext &c = br->getContext();
  SmallVector<Metadata *, 4> ops{nullptr};
  if (auto *id = br->getMetadata(LLVMContext::MD_loop))
    for (const MDOperand &op : drop_begin(id->operands()))
      if (op.get() != old)
        ops.push_back(op.get());
  SmallVector<Metadata *, 2> parts{MDString::get(c, name)};
  if (value)
    parts.push_back(value);
  ops.push_back(MDNode::get(c, parts));
  MDNode *id = MDNode::getDistinct(c, ops);
  id->replaceOperandWith(0, id);
  br->setMetadata(LLVMContext::MD_loop, id);
}
// Asks LLVM to unroll the loop of this latch branch, if its number of iterations is constant and
// the source does not say otherwise.
void MuxclUnrollFully(LLVMValueRef latch) {
  if (!loopProperty(latch, "llvm.loop.unroll."))
    addLoopProperty(latch, "llvm.loop.unroll.full");
}
// Asks LLVM to unroll the work-item loop of this latch branch by `count`.
void MuxclUnrollBy(LLVMValueRef latch, unsigned count) {
  auto *number = ConstantInt::get(Type::getInt32Ty(unwrap(latch)->getContext()), count);
  addLoopProperty(latch, "llvm.loop.unroll.count", ConstantAsMetadata::get(number),
                  loopProperty(latch, "llvm.loop.unroll.disable"));
}
// Marks the loop of this latch branch as one that seldom runs.
void MuxclSetRareLoop(LLVMValueRef latch) { addLoopProperty(latch, "muxcl.rare"); }
// 1 if `MuxclSetRareLoop` has marked the loop of this latch branch, else 0.
int MuxclIsRareLoop(LLVMValueRef branch) { return loopProperty(branch, "muxcl.rare") != nullptr; }
// The number that `MuxclSetWorkItemLoop` has given to the loop of this latch branch, or 0.
int MuxclWorkItemLoop(LLVMValueRef branch) {
  auto *node = loopProperty(branch, "muxcl.work.items");
  if (!node || node->getNumOperands() != 2)
    return 0;
  auto *number = mdconst::dyn_extract<ConstantInt>(node->getOperand(1));
  return number ? number->getZExtValue() : 0;
}
static const Value *pointerOf(const Instruction *i) {
  if (auto *rmw = dyn_cast<AtomicRMWInst>(i))
    return rmw->getPointerOperand();
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(i))
    return exchange->getPointerOperand();
  return getLoadStorePointerOperand(i);
}
// Turns atomic accesses of an address space into plain ones. They may depend on accesses of other
// iterations, so they leave their access groups.
void MuxclPlainAtomics(LLVMModuleRef m, unsigned space) {
  SmallVector<Instruction *, 16> found;
  for (Function &f : *unwrap(m))
    for (Instruction &i : instructions(f))
      if (i.isAtomic())
        if (auto *p = pointerOf(&i); p && p->getType()->getPointerAddressSpace() == space)
          found.push_back(&i);
  for (Instruction *i : found) {
    i->setMetadata(LLVMContext::MD_access_group, nullptr);
    if (auto *load = dyn_cast<LoadInst>(i))
      load->setAtomic(AtomicOrdering::NotAtomic);
    else if (auto *store = dyn_cast<StoreInst>(i))
      store->setAtomic(AtomicOrdering::NotAtomic);
    else if (auto *rmw = dyn_cast<AtomicRMWInst>(i))
      lowerAtomicRMWInst(rmw);
    else
      lowerAtomicCmpXchgInst(cast<AtomicCmpXchgInst>(i));
  }
}
namespace {
// Replaces every target("spirv.*") type by a pointer of address space 0, also inside other types.
struct OpaqueRemapper final : ValueMapTypeRemapper {
  DenseMap<Type *, Type *> done;
  Type *remapType(Type *t) override {
    auto it = done.find(t);
    if (it != done.end())
      return it->second;
    Type *r = t;
    if (auto *e = dyn_cast<TargetExtType>(t)) {
      if (e->getName().starts_with("spirv."))
        r = PointerType::get(t->getContext(), 0);
    } else if (auto *a = dyn_cast<ArrayType>(t)) {
      r = ArrayType::get(remapType(a->getElementType()), a->getNumElements());
    } else if (auto *s = dyn_cast<StructType>(t)) {
      SmallVector<Type *, 8> parts;
      bool changed = false;
      for (Type *p : s->elements()) {
        parts.push_back(remapType(p));
        changed |= parts.back() != p;
      }
      if (changed)
        r = StructType::get(t->getContext(), parts, s->isPacked());
    } else if (auto *f = dyn_cast<FunctionType>(t)) {
      SmallVector<Type *, 8> parts;
      for (Type *p : f->params())
        parts.push_back(remapType(p));
      r = FunctionType::get(remapType(f->getReturnType()), parts, f->isVarArg());
    }
    done[t] = r;
    return r;
  }
};
struct OpaqueMaterializer final : ValueMaterializer {
  OpaqueRemapper &types;
  explicit OpaqueMaterializer(OpaqueRemapper &t) : types(t) {}
  Value *materialize(Value *v) override {
    auto *c = dyn_cast<Constant>(v);
    if (!c || isa<GlobalValue>(c))
      return nullptr;
    Type *t = types.remapType(c->getType());
    if (t == c->getType())
      return nullptr;
    if (isa<PoisonValue>(c))
      return PoisonValue::get(t);
    if (isa<UndefValue>(c))
      return UndefValue::get(t);
    if (c->isNullValue() || isa<ConstantTargetNone>(c))
      return Constant::getNullValue(t);
    return nullptr;
  }
};
} // namespace

// Returns 1 if the module had such types.
int MuxclReplaceOpaqueTypes(LLVMModuleRef m) {
  Module &module = *unwrap(m);
  OpaqueRemapper types;
  OpaqueMaterializer materializer(types);
  bool changed = false;
  SmallVector<Function *, 16> functions;
  for (Function &f : module)
    functions.push_back(&f);
  ValueToValueMapTy map;
  SmallVector<Function *, 4> dead;
  for (Function *f : functions) {
    auto *type = cast<FunctionType>(types.remapType(f->getFunctionType()));
    if (type == f->getFunctionType())
      continue;
    changed = true;
    Function *g = Function::Create(type, f->getLinkage(), f->getAddressSpace(), "", &module);
    g->takeName(f);
    g->setAttributes(f->getAttributes());
    g->setCallingConv(f->getCallingConv());
    g->copyMetadata(f, 0);
    g->splice(g->begin(), f);
    auto d = g->arg_begin();
    for (Argument &a : f->args()) {
      d->takeName(&a);
      map[&a] = &*d;
      ++d;
    }
    map[f] = g;
    dead.push_back(f);
  }
  SmallVector<GlobalVariable *, 4> variables;
  for (GlobalVariable &v : module.globals())
    if (types.remapType(v.getValueType()) != v.getValueType())
      variables.push_back(&v);
  for (GlobalVariable *v : variables) {
    // Local variables have no initialiser; any other variable of an opaque type is an error.
    Constant *value = v->hasInitializer() ? v->getInitializer() : nullptr;
    if (value && !value->isNullValue() && !isa<UndefValue>(value) &&
        !isa<ConstantTargetNone>(value))
      return -1;
    changed = true;
    Type *type = types.remapType(v->getValueType());
    auto *w = new GlobalVariable(module, type, v->isConstant(), v->getLinkage(),
                                 value ? UndefValue::get(type) : nullptr, "", v,
                                 v->getThreadLocalMode(), v->getAddressSpace());
    if (value && !isa<UndefValue>(value))
      w->setInitializer(Constant::getNullValue(type));
    w->copyAttributesFrom(v);
    w->copyMetadata(v, 0);
    w->takeName(v);
    v->replaceAllUsesWith(w);
    v->eraseFromParent();
  }
  SmallVector<Instruction *, 64> all;
  bool any = changed;
  for (Function &f : module)
    for (Instruction &i : instructions(f)) {
      bool hit = types.remapType(i.getType()) != i.getType();
      if (auto *a = dyn_cast<AllocaInst>(&i))
        hit |= types.remapType(a->getAllocatedType()) != a->getAllocatedType();
      for (Value *o : i.operands())
        hit |= types.remapType(o->getType()) != o->getType();
      any |= hit;
    }
  if (!any)
    return 0;
  for (Function &f : module)
    for (Instruction &i : instructions(f))
      RemapInstruction(&i, map, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges, &types,
                       &materializer);
  for (Function *f : dead) {
    f->replaceAllUsesWith(cast<Function>(map[f]));
    f->eraseFromParent();
  }
  return 1;
}

} // extern "C"

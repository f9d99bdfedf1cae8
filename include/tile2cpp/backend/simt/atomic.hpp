// backend/simt/atomic.hpp: atomic accesses as PTX instructions, one per width, operation and scope.
//
// All are relaxed; the orders are made of fences around them, which is what the hardware does as well.
#pragma once

#include "tile2cpp/backend/simt/global_memory.hpp"
#include "tile2cpp/backend/update.hpp"

namespace tile2cpp::backend {

// One instruction in the scope that the template argument `Scope` names; the scope is part of its spelling.
#define T2C_SCOPED(head, tail, ...)                                                              \
  if constexpr (Scope == thread_scope::block) asm volatile(head ".cta" tail __VA_ARGS__);        \
  else if constexpr (Scope == thread_scope::device) asm volatile(head ".gpu" tail __VA_ARGS__);  \
  else asm volatile(head ".sys" tail __VA_ARGS__)

template <thread_scope Scope>
T2C_FN void fence() {
  T2C_SCOPED("fence.acq_rel", ";", ::: "memory");
}

// A read and a write of one width. `Register` is the operand class of inline assembly.
#define T2C_ACCESS(Bits, Register, Type)                                                             \
  template <thread_scope Scope> T2C_FN Bits read_bits(Bits const* from) {                            \
    Bits value;                                                                                      \
    T2C_SCOPED("ld.relaxed", "." Type " %0, [%1];", : "=" Register(value) : "l"(from) : "memory");   \
    return value;                                                                                    \
  }                                                                                                  \
  template <thread_scope Scope> T2C_FN void write_bits(Bits* to, Bits value) {                       \
    T2C_SCOPED("st.relaxed", "." Type " [%0], %1;", ::"l"(to), Register(value) : "memory");          \
  }
T2C_ACCESS(unsigned short, "h", "u16")
T2C_ACCESS(unsigned, "r", "u32")
T2C_ACCESS(unsigned long long, "l", "u64")
#undef T2C_ACCESS

// Registers have no 8-bit class: a byte travels in a wider one.
template <thread_scope Scope> T2C_FN unsigned char read_bits(unsigned char const* from) {
  unsigned value;
  T2C_SCOPED("ld.relaxed", ".u8 %0, [%1];", : "=r"(value) : "l"(from) : "memory");
  return static_cast<unsigned char>(value);
}
template <thread_scope Scope> T2C_FN void write_bits(unsigned char* to, unsigned char byte) {
  unsigned const value = byte;
  T2C_SCOPED("st.relaxed", ".u8 [%0], %1;", ::"l"(to), "r"(value) : "memory");
}

template <thread_scope Scope, class E>
T2C_FN E atomic_read(E const* from) {
  return meta::bit_cast<E>(read_bits<Scope>(reinterpret_cast<meta::unsigned_of<E> const*>(from)));
}

template <thread_scope Scope, class E>
T2C_FN void atomic_write(E* to, E value) {
  using bits = meta::unsigned_of<E>;
  write_bits<Scope>(reinterpret_cast<bits*>(to), meta::bit_cast<bits>(value));
}

// Without a branch, where the guard, operand 0, is set.
#define T2C_GUARD "{.reg .pred p; setp.ne.b32 p, %0, 0; @p "

// An update of one width: `fetch_` returns the old value, `apply_` does not wait for it.
#define T2C_UPDATE(name, Bits, Register, Operation)                                                                   \
  template <thread_scope Scope> T2C_FN Bits fetch_##name(void* to, Bits value) {                                      \
    Bits old;                                                                                                         \
    T2C_SCOPED("atom.relaxed", "." Operation " %0, [%1], %2;", : "=" Register(old) : "l"(to), Register(value) : "memory"); \
    return old;                                                                                                       \
  }                                                                                                                   \
  template <thread_scope Scope> T2C_FN void apply_##name(void* to, Bits value) {                                      \
    T2C_SCOPED("red.relaxed", "." Operation " [%0], %1;", ::"l"(to), Register(value) : "memory");                     \
  }                                                                                                                   \
  template <thread_scope Scope> T2C_FN void apply_if_##name(bool wanted, void* to, Bits value) {                      \
    T2C_SCOPED(T2C_GUARD "red.relaxed", ".global." Operation " [%1], %2;}", ::"r"(int(wanted)), "l"(to), Register(value) : "memory"); \
  }
T2C_UPDATE(add_u32, unsigned, "r", "add.u32")
T2C_UPDATE(add_u64, unsigned long long, "l", "add.u64")
T2C_UPDATE(add_f32, float, "f", "add.f32")
T2C_UPDATE(add_f64, double, "d", "add.f64")
T2C_UPDATE(add_f16, unsigned short, "h", "add.noftz.f16")
T2C_UPDATE(add_bf16, unsigned short, "h", "add.noftz.bf16")
T2C_UPDATE(max_s32, int, "r", "max.s32")
T2C_UPDATE(max_u32, unsigned, "r", "max.u32")
T2C_UPDATE(max_s64, long long, "l", "max.s64")
T2C_UPDATE(max_u64, unsigned long long, "l", "max.u64")
T2C_UPDATE(min_s32, int, "r", "min.s32")
T2C_UPDATE(min_u32, unsigned, "r", "min.u32")
T2C_UPDATE(min_s64, long long, "l", "min.s64")
T2C_UPDATE(min_u64, unsigned long long, "l", "min.u64")
T2C_UPDATE(and_b32, unsigned, "r", "and.b32")
T2C_UPDATE(and_b64, unsigned long long, "l", "and.b64")
T2C_UPDATE(or_b32, unsigned, "r", "or.b32")
T2C_UPDATE(or_b64, unsigned long long, "l", "or.b64")
T2C_UPDATE(xor_b32, unsigned, "r", "xor.b32")
T2C_UPDATE(xor_b64, unsigned long long, "l", "xor.b64")
#undef T2C_UPDATE

// Sums of vectors of 8 or 16 bytes, each element for itself.
#define T2C_SUMS(name, Bits, Register, Type)                                                                            \
  template <thread_scope Scope> T2C_FN void apply_if_##name(bool wanted, void* to, Bits const (&v)[2]) {                \
    T2C_SCOPED(T2C_GUARD "red.relaxed", ".global.add" Type(".v2") " [%1], {%2, %3};}",                                  \
               ::"r"(int(wanted)), "l"(to), Register(v[0]), Register(v[1]) : "memory");                                 \
  }                                                                                                                     \
  template <thread_scope Scope> T2C_FN void apply_if_##name(bool wanted, void* to, Bits const (&v)[4]) {                \
    T2C_SCOPED(T2C_GUARD "red.relaxed", ".global.add" Type(".v4") " [%1], {%2, %3, %4, %5};}",                          \
               ::"r"(int(wanted)), "l"(to), Register(v[0]), Register(v[1]), Register(v[2]), Register(v[3]) : "memory"); \
  }
#define T2C_F32(vector) vector ".f32"
#define T2C_F16X2(vector) ".noftz" vector ".f16x2"
#define T2C_BF16X2(vector) ".noftz" vector ".bf16x2"
T2C_SUMS(sums_f32, float, "f", T2C_F32)
T2C_SUMS(sums_f16, unsigned, "r", T2C_F16X2)
T2C_SUMS(sums_bf16, unsigned, "r", T2C_BF16X2)
#undef T2C_BF16X2
#undef T2C_F16X2
#undef T2C_F32
#undef T2C_SUMS
#undef T2C_GUARD

// Exchanges always return the old value.
#define T2C_EXCHANGE(name, Bits, Register)                                                                         \
  template <thread_scope Scope> T2C_FN Bits exchange_##name(void* to, Bits value) {                                \
    Bits old;                                                                                                      \
    T2C_SCOPED("atom.relaxed", ".exch." #name " %0, [%1], %2;", : "=" Register(old) : "l"(to), Register(value) : "memory"); \
    return old;                                                                                                    \
  }                                                                                                                \
  template <thread_scope Scope> T2C_FN Bits compare_##name(void* to, Bits expected, Bits desired) {                \
    Bits old;                                                                                                      \
    T2C_SCOPED("atom.relaxed", ".cas." #name " %0, [%1], %2, %3;", : "=" Register(old)                             \
               : "l"(to), Register(expected), Register(desired) : "memory");                                       \
    return old;                                                                                                    \
  }
T2C_EXCHANGE(b32, unsigned, "r")
T2C_EXCHANGE(b64, unsigned long long, "l")
#undef T2C_EXCHANGE
#undef T2C_SCOPED

/// Writes `desired` if the bits of `*to` are those of `expected`; returns what was there.
template <thread_scope Scope, class E>
T2C_FN E compare_exchange(E* to, E expected, E desired) {
  using bits = meta::unsigned_of<E>;
  bits const e = meta::bit_cast<bits>(expected), d = meta::bit_cast<bits>(desired);
  if constexpr (sizeof(E) == 4) return meta::bit_cast<E>(compare_b32<Scope>(to, e, d));
  else return meta::bit_cast<E>(compare_b64<Scope>(to, e, d));
}

/// Adds to a 16-bit element by exchanging the word that holds it; its neighbour keeps its value.
template <thread_scope Scope, class E>
T2C_FN E fetch_add_in_word(E* to, E value) {
  auto const address = reinterpret_cast<unsigned long long>(to);
  auto* const word = reinterpret_cast<unsigned*>(address & ~3ull);
  int const shift = address & 2 ? 16 : 0;
  unsigned found = read_bits<Scope>(word), seen;
  do {
    seen = found;
    E const old = meta::bit_cast<E>(static_cast<unsigned short>(seen >> shift));
    unsigned const sum = meta::bit_cast<unsigned short>(combined<update::add>(old, value));
    found = compare_b32<Scope>(word, seen, (seen & ~(0xffffu << shift)) | sum << shift);
  } while (found != seen);
  return meta::bit_cast<E>(static_cast<unsigned short>(found >> shift));
}

// The instruction for an operation on an element type; `Do` is fetch_, apply_ or apply_if_, whose result is passed through; `Guard` stands before the address.
#define T2C_DISPATCH(Do, Given, Guard)                                                                                    \
  template <update Op, thread_scope Scope, class E> T2C_FN auto Do##bits(Given E* to, E value) {                  \
    constexpr bool wide = sizeof(E) == 8, sign = integral<E> && meta::is_signed<E>;                         \
    auto const bits = meta::bit_cast<meta::unsigned_of<E>>(value);                                          \
    auto const number = meta::bit_cast<meta::signed_of<E>>(value);                                          \
    if constexpr (Op == update::add) {                                                                      \
      if constexpr (same_as<E, float>) return Do##add_f32<Scope>(Guard to, value);                                \
      else if constexpr (same_as<E, double>) return Do##add_f64<Scope>(Guard to, value);                          \
      else if constexpr (same_as<E, __half>) return Do##add_f16<Scope>(Guard to, bits);                           \
      else if constexpr (same_as<E, __nv_bfloat16>) return Do##add_bf16<Scope>(Guard to, bits);                   \
      else if constexpr (wide) return Do##add_u64<Scope>(Guard to, bits);                                         \
      else return Do##add_u32<Scope>(Guard to, bits);                                                             \
    } else if constexpr (Op == update::max) {                                                               \
      if constexpr (wide && sign) return Do##max_s64<Scope>(Guard to, number);                                    \
      else if constexpr (wide) return Do##max_u64<Scope>(Guard to, bits);                                         \
      else if constexpr (sign) return Do##max_s32<Scope>(Guard to, number);                                       \
      else return Do##max_u32<Scope>(Guard to, bits);                                                             \
    } else if constexpr (Op == update::min) {                                                               \
      if constexpr (wide && sign) return Do##min_s64<Scope>(Guard to, number);                                    \
      else if constexpr (wide) return Do##min_u64<Scope>(Guard to, bits);                                         \
      else if constexpr (sign) return Do##min_s32<Scope>(Guard to, number);                                       \
      else return Do##min_u32<Scope>(Guard to, bits);                                                             \
    } else if constexpr (Op == update::bit_and) {                                                           \
      if constexpr (wide) return Do##and_b64<Scope>(Guard to, bits);                                              \
      else return Do##and_b32<Scope>(Guard to, bits);                                                             \
    } else if constexpr (Op == update::bit_or) {                                                            \
      if constexpr (wide) return Do##or_b64<Scope>(Guard to, bits);                                               \
      else return Do##or_b32<Scope>(Guard to, bits);                                                              \
    } else {                                                                                                \
      if constexpr (wide) return Do##xor_b64<Scope>(Guard to, bits);                                              \
      else return Do##xor_b32<Scope>(Guard to, bits);                                                             \
    }                                                                                                       \
  }
#define T2C_WANTED wanted,
T2C_DISPATCH(fetch_, , )
T2C_DISPATCH(apply_, , )
T2C_DISPATCH(apply_if_, bool T2C_WANTED, T2C_WANTED)
#undef T2C_WANTED
#undef T2C_DISPATCH

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
inline constexpr bool adds_bf16 = false;
#else
inline constexpr bool adds_bf16 = true;
#endif
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ == 0
inline constexpr bool adds_vectors = false;  // not in its PTX yet
#else
inline constexpr bool adds_vectors = adds_bf16;
#endif

/// Replaces `*to` by its combination with `value`; returns what was there.
template <update Op, thread_scope Scope, class E>
T2C_FN E fetch(E* to, E value) {
  if constexpr (Op == update::exchange && sizeof(E) == 4) {
    return meta::bit_cast<E>(exchange_b32<Scope>(to, meta::bit_cast<unsigned>(value)));
  } else if constexpr (Op == update::exchange) {
    return meta::bit_cast<E>(exchange_b64<Scope>(to, meta::bit_cast<unsigned long long>(value)));
  } else if constexpr (same_as<E, __nv_bfloat16> && !adds_bf16) {
    return fetch_add_in_word<Scope>(to, value);
  } else {
    return meta::bit_cast<E>(fetch_bits<Op, Scope>(to, value));
  }
}

/// `fetch` for callers that do not want the old value.
template <update Op, thread_scope Scope, class E>
T2C_FN void apply(E* to, E value) {
  if constexpr (same_as<E, __nv_bfloat16> && !adds_bf16) fetch_add_in_word<Scope>(to, value);
  else apply_bits<Op, Scope>(to, value);
}

/// The same where it is wanted.
template <update Op, thread_scope Scope, class E>
T2C_FN void apply_if(bool wanted, E* to, E value) {
  if constexpr (same_as<E, __nv_bfloat16> && !adds_bf16) {
    if (wanted) fetch_add_in_word<Scope>(to, value);
  } else apply_if_bits<Op, Scope>(wanted, to, value);
}

/// Whether runs of N elements that are a vector in memory are updated at once.
template <update Op, int N, class E>
inline constexpr bool updates_runs =
    adds_vectors && Op == update::add && N * int(sizeof(E)) >= 8 && (same_as<E, float> || same_as<E, __half> || same_as<E, __nv_bfloat16>);

/// Updates a run where it is wanted.
template <update Op, thread_scope Scope, int N, class E>
  requires updates_runs<Op, N, E>
T2C_FN void apply_run_if(bool wanted, E* to, E const* from) {
  constexpr int each = run_alignment<N, E> / int(sizeof(E));
  using number = meta::conditional_t<same_as<E, float>, float, unsigned>;
  T2C_UNROLL
  for (int i = 0; i < N; i += each) {
    elements<E, each> part;
    T2C_UNROLL
    for (int k = 0; k < each; ++k) part.at[k] = from[i + k];
    auto const moved = meta::bit_cast<elements<number, each * int(sizeof(E)) / 4>>(part);
    if constexpr (same_as<E, float>) apply_if_sums_f32<Scope>(wanted, to + i, moved.at);
    else if constexpr (same_as<E, __half>) apply_if_sums_f16<Scope>(wanted, to + i, moved.at);
    else apply_if_sums_bf16<Scope>(wanted, to + i, moved.at);
  }
}

}  // namespace tile2cpp::backend

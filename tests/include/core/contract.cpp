// What is accepted and what is refused, and the types of results. The same text is compiled against this
// library by a host compiler and by nvcc, and against NVIDIA's own header by its tile compiler: both must agree.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template <class E, ct::uint32_t... N> using T = ct::tile<E, ct::shape<N...>>;
using F8 = T<float, 8>;
using F48 = T<float, 4, 8>;
using H8 = T<__half, 8>;
using I8 = T<int, 8>;
using S8 = T<short, 8>;
using U8 = T<unsigned, 8>;
using B8 = T<bool, 8>;
using L8 = T<long, 8>;
using D8 = T<double, 8>;
using BF8 = T<__nv_bfloat16, 8>;
using Q8 = T<__nv_fp8_e4m3, 8>;
using P8 = T<float*, 8>;
using PC8 = T<float const*, 8>;
using V8 = T<void*, 8>;

#define YES(...) static_assert(__VA_ARGS__)
#define NO(...) static_assert(!(__VA_ARGS__))
#define SAME(...) static_assert(ct::same_as<__VA_ARGS__>)

// Constants, shapes, extents.
SAME(decltype(ct::shape{8_ic, 16_ic}), ct::shape<8, 16>);
SAME(decltype(ct::extents{3, 8_ic}), ct::extents<ct::uint32_t, ct::dynamic_extent, 8>);
SAME(decltype(ct::dimension_map{2_ic, 0_ic, 1_ic}), ct::dimension_map<2, 0, 1>);
SAME(decltype(ct::dimension_map{2, 0, 1}), ct::dimension_map<>);
SAME(decltype(-1_ic), ct::integral_constant<-1>);
SAME(decltype(3_ic * 4_ic + 1_ic), ct::integral_constant<13>);
SAME(decltype(3000000000_ic), ct::integral_constant<3000000000l>);
YES(ct::tile_shape<ct::shape<4, 8>>);
YES(ct::tile_shape<ct::shape<>>);
YES(ct::tile_shape<ct::shape<16777216>>);
NO(ct::tile_shape<ct::shape<3, 5>>);
NO(ct::tile_shape<ct::shape<16777216, 2>>);
NO(ct::tile_shape<ct::extents<int, 4>>);
YES(ct::extents_like<ct::extents<int, 4, ct::dynamic_extent>>);
YES(ct::shape_like<ct::shape<3>>);
NO(ct::shape_like<ct::extents<int, ct::dynamic_extent>>);
YES(ct::shape_broadcast_compatible<ct::shape<4, 1>, ct::shape<8>>);
NO(ct::shape_broadcast_compatible<ct::shape<4, 2>, ct::shape<8>>);
YES(ct::shape_broadcastable_to<ct::shape<8>, ct::shape<4, 8>>);
NO(ct::shape_broadcastable_to<ct::shape<4, 8>, ct::shape<8>>);
SAME(ct::shape_broadcast_t<ct::shape<4, 1>, ct::shape<2, 1, 8>>, ct::shape<2, 4, 8>);
YES(ct::shape_size_v<ct::shape<4, 8>> == 32);

// Scalars and elements.
YES(ct::scalar<float> && ct::scalar<__half> && ct::scalar<char8_t> && ct::scalar<void*> && ct::scalar<float const*>);
NO(ct::scalar<float**> || ct::scalar<long double> || ct::scalar<decltype(nullptr)> || ct::scalar<ct::integral_constant<1>>);
YES(ct::integral<wchar_t> && ct::integral<bool> && !ct::integral<float>);
YES(ct::tile_like<int> && ct::tile_like<F8> && !ct::tile_like<F8&> && ct::tile_like<F8 const>);
YES(ct::restricted_floating_point_scalar<__nv_fp8_e4m3> && !ct::arithmetic_scalar<__nv_fp8_e4m3>);
YES(ct::pointer_tile<P8> && ct::loadable_tile<PC8> && !ct::storeable_tile<PC8> && !ct::loadable_tile<V8>);
SAME(ct::tile_load_t<PC8>, F8);
SAME(ct::tile_load_t<float const*>, float);
SAME(ct::tile_shape_t<float>, ct::shape<>);
SAME(ct::tile_with_element_t<F8, int>, I8);
SAME(ct::tile_with_element_t<float, int>, int);

// Conversions.
YES(ct::scalar_convertible_to<float, int> && ct::scalar_convertible_to<float*, bool>);
YES(ct::scalar_convertible_to<float*, float const*> && ct::scalar_convertible_to<float*, void*>);
NO(ct::scalar_convertible_to<float*, int*> || ct::scalar_convertible_to<float*, long> || ct::scalar_convertible_to<void*, float*>);
YES(ct::non_narrowing_scalar_convertible_to<__half, float> && ct::non_narrowing_scalar_convertible_to<__nv_fp8_e4m3, __half>);
NO(ct::non_narrowing_scalar_convertible_to<__half, __nv_bfloat16>);
NO(ct::non_narrowing_scalar_convertible_to<int, double> || ct::non_narrowing_scalar_convertible_to<bool, float>);
YES(ct::non_narrowing_scalar_convertible_to<unsigned, long> && ct::non_narrowing_scalar_convertible_to<bool, int>);
NO(ct::non_narrowing_scalar_convertible_to<int, unsigned> || ct::non_narrowing_scalar_convertible_to<long, int>);
NO(ct::non_narrowing_scalar_convertible_to<float*, bool>);
YES(ct::tile_convertible_to<F8, I8> && !ct::tile_convertible_to<F8, F48> && !ct::tile_convertible_to<float, F8>);

// Binary operators: tile with tile.
template <class A, class B> concept adds = requires(A a, B b) { a + b; };
template <class A, class B> concept subtracts = requires(A a, B b) { a - b; };
template <class A, class B> concept takes_remainder = requires(A a, B b) { a % b; };
template <class A, class B> concept ands = requires(A a, B b) { a & b; };
template <class A, class B> concept shifts = requires(A a, B b) { a << b; };
template <class A, class B> concept compares = requires(A a, B b) { a < b; };
template <class A, class B> concept equates = requires(A a, B b) { a == b; };
template <class A, class B> concept joins = requires(A a, B b) { a && b; };
template <class A, class B> using sum_t = decltype(ct::add(A{}, B{}));
template <class A, class B> inline constexpr bool sum_is_second = ct::same_as<decltype(A{} + B{}), B>;

SAME(decltype(F8{} + F48{}), F48);
SAME(decltype(S8{} + S8{}), S8);
SAME(decltype(B8{} + B8{}), B8);
SAME(decltype(L8{} + H8{}), H8);
SAME(decltype(H8{} + F8{}), F8);
SAME(decltype(T<unsigned char, 8>{} + S8{}), S8);
SAME(decltype(U8{} + L8{}), L8);
SAME(decltype(T<char, 8>{} + T<signed char, 8>{}), T<signed char, 8>);
SAME(decltype(B8{} * F8{}), F8);
SAME(decltype(T<float, 4, 1>{} + F8{}), F48);
SAME(decltype(T<double>{} + F8{}), D8);
NO(adds<H8, BF8> || adds<I8, U8> || adds<L8, T<unsigned long, 8>> || adds<Q8, Q8>);
NO(adds<F8, T<float, 4>>);

// A scalar beside a tile.
SAME(decltype(F8{} + 2), F8);
SAME(decltype(H8{} * 2), H8);
SAME(decltype(D8{} + 1.0f), D8);
SAME(decltype(1 + L8{}), L8);
SAME(decltype(L8{} + 1u), L8);
NO(adds<F8, double> || adds<H8, float> || adds<I8, float> || adds<I8, long> || adds<I8, unsigned> || adds<I8, unsigned long>);
NO(adds<S8, int> || adds<U8, int> || adds<T<unsigned char, 8>, int> || adds<B8, int> || adds<B8, float>);
NO(adds<F8, ct::integral_constant<1>> || adds<F8, bool*>);
YES(adds<S8, short> && adds<F8, bool> && adds<F8, long> && adds<F8, __half>);

// Other operators.
NO(takes_remainder<F8, F8> || ands<F8, F8>);
YES(takes_remainder<I8, int> && ands<B8, B8> && ands<I8, I8>);
YES(shifts<S8, L8> && shifts<U8, int> && shifts<int, I8> && shifts<B8, int>);
SAME(decltype(S8{} << L8{}), S8);
SAME(decltype(1 << T<long, 4>{}), T<int, 4>);
NO(shifts<F8, int>);
SAME(decltype(F8{} < 2.5), B8);
SAME(decltype(I8{} != 2.5f), B8);
SAME(decltype(H8{} < 1.0f), B8);
NO(compares<I8, U8> || compares<H8, BF8> || compares<I8, unsigned> || compares<Q8, Q8>);
YES(joins<F8, P8> && joins<I8, bool> && joins<Q8, Q8>);
SAME(decltype(!P8{}), B8);
SAME(decltype(-B8{}), B8);
SAME(decltype(+S8{}), I8);
SAME(decltype(+B8{}), I8);
SAME(decltype(+P8{}), P8);
SAME(decltype(~B8{}), B8);
SAME(decltype(-S8{}), S8);

// Pointers.
SAME(decltype(P8{} + I8{}), P8);
SAME(decltype(I8{} + P8{}), P8);
SAME(decltype(PC8{} - 1u), PC8);
SAME(decltype((float*){} + I8{}), P8);
SAME(decltype(P8{} - PC8{}), L8);
SAME(decltype(P8{} == nullptr), B8);
YES(equates<P8, PC8> && compares<P8, P8> && equates<P8, V8>);
NO(adds<V8, I8> || adds<P8, F8> || adds<P8, P8> || compares<P8, decltype(nullptr)> || equates<P8, T<int*, 8>>);

// Conversions of tiles.
template <class From, class To> concept converts = requires(From from, void (*take)(To)) { take(from); };
template <class From, class To> concept casts = requires(From from) { static_cast<To>(from); };
YES(converts<H8, F8> && converts<I8, L8> && converts<P8, PC8>);
NO(converts<F8, H8> || converts<I8, F8> || converts<F8, F48> || converts<float, F8>);
YES(casts<F8, H8> && casts<I8, F8> && casts<T<float, 1>, int> && casts<T<float>, bool> && casts<T<int, 1, 1>, float>);
NO(casts<F8, float> || converts<T<float>, float> || casts<T<float> const, float>);
SAME(decltype(ct::tile{2.0f}), T<float>);

// Functions.
template <class A, class B, class... Tags> concept has_add = requires(A a, B b, Tags... tags) { ct::add(a, b, tags...); };
template <class A, class B, class... Tags> concept has_div = requires(A a, B b, Tags... tags) { ct::div(a, b, tags...); };
template <class A, class B, class... Tags> concept has_max = requires(A a, B b, Tags... tags) { ct::max(a, b, tags...); };
template <class A, class B, class C, class... Tags>
concept has_fma = requires(A a, B b, C c, Tags... tags) { ct::fma(a, b, c, tags...); };
SAME(decltype(ct::add(short{}, short{})), short);
SAME(decltype(ct::max(1, 2l)), long);
SAME(decltype(ct::add<ct::rounding_mode::round_toward_zero>(F8{}, F8{}, {})), F8);
YES(has_add<F8, F8, ct::round_toward_zero_t> && has_add<F8, F8, ct::round_ties_to_even_t, ct::round_subnormals_to_zero_t>);
YES(has_add<H8, H8, ct::round_toward_positive_t>);
NO(has_add<F8, F8, ct::round_subnormals_to_zero_t> || has_add<I8, I8, ct::round_ties_to_even_t>);
NO(has_add<H8, H8, ct::round_ties_to_even_t, ct::round_subnormals_to_zero_t> || has_add<F8, F8, ct::round_approximate_t>);
YES(has_div<F8, F8, ct::round_approximate_t> && has_div<F8, int, ct::round_full_t, ct::round_subnormals_to_zero_t>);
NO(has_div<D8, D8, ct::round_approximate_t> || has_div<H8, H8, ct::round_full_t>);
YES(has_max<F8, F8, ct::propagate_nan_t> && has_max<F8, F8, ct::propagate_nan_t, ct::round_subnormals_to_zero_t>);
NO(has_max<I8, I8, ct::propagate_nan_t> || has_max<F8, F8, ct::round_subnormals_to_zero_t> || has_max<int, ct::integral_constant<4>>);
YES(has_fma<H8, F8, F8> && has_fma<float, F8, F8> && has_fma<F8, F8, F48> && has_fma<F8, F8, F8, ct::round_toward_zero_t>);
NO(has_fma<F8, int, F8> || has_fma<F8, F8, float> || has_fma<F8, F8, H8> || has_fma<I8, I8, I8> || has_fma<D8, F8, F8>);
SAME(decltype(ct::fma(H8{}, H8{}, F8{})), F8);
SAME(decltype(ct::ceildiv(5, 2)), int);
SAME(decltype(ct::remainder(F8{}, 2)), F8);
SAME(decltype(ct::abs(S8{})), S8);
SAME(decltype(ct::isnan(Q8{})), B8);
template <class A, class B> concept has_ceildiv = requires(A a, B b) { ct::ceildiv(a, b); };
NO(has_ceildiv<F8, F8> || has_ceildiv<int, unsigned>);

// select.
template <class C, class A, class B> concept selects = requires(C c, A a, B b) { ct::select(c, a, b); };
YES(selects<B8, F8, F8> && selects<bool, F8, F8> && selects<I8, F48, F48> && selects<bool, int, int>);
NO(selects<B8, F8, float> || selects<T<bool, 4, 8>, F8, F8> || selects<B8, F8, D8> || selects<B8, float, float>);

// Factories.
template <class X> concept has_zeros = requires { ct::zeros<X>(); };
template <class X> concept has_iota = requires { ct::iota<X>(); };
YES(has_zeros<F8> && has_zeros<Q8> && has_zeros<int> && !has_zeros<P8>);
YES(has_iota<I8> && has_iota<T<signed char, 128>> && has_iota<T<bool, 2>> && has_iota<int>);
NO(has_iota<F8> || has_iota<T<signed char, 256>> || has_iota<B8>);
SAME(decltype(ct::full<float>(2)), float);
SAME(decltype(ct::full<H8>(1.0)), H8);

// Casts.
template <class E, class X, class... Tags> concept has_cast = requires(X x, Tags... tags) { ct::element_cast<E>(x, tags...); };
template <class E, class X> concept has_bitcast = requires(X x) { ct::element_bitcast<E>(x); };
SAME(decltype(ct::element_cast<int>(F8{})), I8);
SAME(decltype(ct::element_cast<int>(2.0f)), int);
YES(has_cast<bool, P8> && has_cast<float const*, P8> && !has_cast<long, P8> && !has_cast<int*, P8>);
YES(has_cast<__half, F8, ct::round_toward_zero_t> && has_cast<float, D8, ct::round_toward_positive_t>);
NO(has_cast<__half, F8, ct::round_toward_positive_t> || has_cast<int, F8, ct::round_toward_zero_t>);
YES(has_cast<__nv_fp8_e4m3, F8, ct::round_ties_to_even_t> && !has_cast<__nv_fp8_e4m3, F8, ct::round_toward_zero_t>);
YES(has_cast<float, H8, ct::round_ties_to_away_t> && has_cast<double, F8, ct::round_toward_negative_t>);
YES(has_cast<int, F8, ct::saturate_finite_t> && has_cast<bool, H8, ct::saturate_finite_t>);
NO(has_cast<float, I8, ct::saturate_finite_t> || has_cast<int, I8, ct::saturate_finite_t>);
YES(has_bitcast<int, F8> && has_bitcast<long, P8> && has_bitcast<short, H8> && has_bitcast<bool, Q8>);
NO(has_bitcast<long, F8> || has_bitcast<bool, S8>);

// Shapes.
template <class X, class S> concept reshapes = requires(X x) { ct::reshape<S>(x); };
template <class X, class S> concept broadcasts = requires(X x) { ct::broadcast(x, S{}); };
template <class X, class M> concept permutes = requires(X x) { ct::permute(x, M{}); };
SAME(decltype(ct::reshape(F48{}, ct::shape<32>{})), T<float, 32>);
SAME(decltype(ct::reshape<ct::shape<>>(1.0f)), T<float>);
NO(reshapes<F8, ct::shape<4>>);
YES(broadcasts<F8, ct::shape<4, 8>> && broadcasts<float, ct::shape<8>> && !broadcasts<F48, ct::shape<8>>);
SAME(decltype(ct::permute(T<int, 2, 4, 8>{}, ct::dimension_map<2, 0, 1>{})), T<int, 8, 2, 4>);
NO(permutes<F48, ct::dimension_map<2, 0, 1>> || permutes<F48, ct::dimension_map<>>);
SAME(decltype(ct::transpose(T<int, 2, 4, 8>{})), T<int, 4, 2, 8>);
SAME(decltype(ct::transpose(F8{})), F8);
SAME(decltype(ct::cat<0>(F48{}, F48{})), T<float, 8, 8>);
SAME(decltype(ct::cat(F48{}, F48{}, 1_ic)), T<float, 4, 16>);
template <unsigned long D, class A, class B> concept cats = requires(A a, B b) { ct::cat<D>(a, b); };
NO(cats<2, F48, F48> || cats<0, F48, F8> || cats<0, float, float> || cats<0, F8, I8>);
SAME(decltype(ct::extract(F48{}, ct::shape<2, 4>{}, 1, 1_ic)), T<float, 2, 4>);
template <class X, class S, class... I> concept extracts = requires(X x, I... i) { ct::extract(x, S{}, i...); };
NO(extracts<F48, ct::shape<2, 4>, int> || extracts<F48, ct::shape<2>, int> || extracts<F48, ct::shape<8, 8>, int, int>);
NO(extracts<F48, ct::shape<2, 4>, int, T<int>>);
SAME(decltype(ct::insert(F48{}, T<__half, 2, 4>{}, 0, 0)), F48);
template <class X, class S, class... I> concept inserts = requires(X x, S s, I... i) { ct::insert(x, s, i...); };
NO(inserts<F48, T<double, 2, 4>, int, int> || inserts<F48, float, int, int> || inserts<F48, T<int, 2, 4>, int, int>);

// Reductions and scans.
template <class X, auto D> concept sums = requires(X x) { ct::sum(x, ct::integral_constant<D>{}); };
template <class X> concept sums_at_run_time = requires(X x, int axis) { ct::sum(x, axis); };
SAME(decltype(ct::sum<1>(F48{})), T<float, 4, 1>);
SAME(decltype(ct::sum(S8{}, 0_ic)), T<short, 1>);
SAME(decltype(ct::sum<0, ct::rounding_mode::round_toward_zero>(F8{}, {}, {})), T<float, 1>);
template <class X> concept sums_mode_without_axis = requires(X x) { ct::sum<0>(x, ct::round_toward_zero_t{}); };
NO(sums_mode_without_axis<F8>);
SAME(decltype(ct::sum(F8{}, 0_ic, ct::round_ties_to_even_t{}, ct::round_subnormals_to_zero_t{})), T<float, 1>);
NO(sums<F48, 2> || sums<F48, -1> || sums<float, 0> || sums<Q8, 0> || sums<P8, 0> || sums_at_run_time<F48>);
YES(sums<F48, 1ul> && sums<B8, 0>);
SAME(decltype(ct::reduce_max<0, ct::nan_propagation_mode::propagate_nan>(F8{}, {}, {})), T<float, 1>);
SAME(decltype(ct::reduce_max(F48{}, 1_ic, ct::propagate_nan_t{}, ct::round_subnormals_to_zero_t{})), T<float, 4, 1>);
SAME(decltype(ct::max_element(F48{}, 1_ic)), T<ct::uint32_t, 4, 1>);
SAME(decltype(ct::all_of<0>(F8{})), T<bool, 1>);
SAME(decltype(ct::any_of(P8{}, 0_ic)), T<bool, 1>);
SAME(decltype(ct::reduce_bitxor<0>(I8{})), T<int, 1>);
template <class X> concept bit_reduces = requires(X x) { ct::reduce_bitand<0>(x); };
NO(bit_reduces<F8>);
SAME(decltype(ct::partial_sum<1>(F48{})), F48);
SAME(decltype(ct::partial_sum<0, ct::scan_direction::backward>(I8{})), I8);
SAME(decltype(ct::partial_sum(F8{}, 0_ic, ct::scan_backward_t{})), F8);
SAME(decltype(ct::partial_prod(F8{}, 0_ic, ct::round_toward_zero_t{}, {}, ct::scan_backward_t{})), F8);

// Elementary functions.
template <class X, class... Tags> concept has_exp = requires(X x, Tags... tags) { ct::exp(x, tags...); };
template <class X, class... Tags> concept has_exp2 = requires(X x, Tags... tags) { ct::exp2(x, tags...); };
template <class X, class... Tags> concept has_sqrt = requires(X x, Tags... tags) { ct::sqrt(x, tags...); };
template <class X, class Y> concept has_pow = requires(X x, Y y) { ct::pow(x, y); };
template <class X, class Y> concept has_powi = requires(X x, Y y) { ct::powi(x, y); };
SAME(decltype(ct::exp(2.0f)), float);
YES(has_exp<H8> && has_exp<F8, ct::round_approximate_t> && has_exp<D8, ct::round_full_t>);
NO(has_exp<I8> || has_exp<int> || has_exp<H8, ct::round_approximate_t> || has_exp<F8, ct::round_ties_to_even_t>);
YES(has_exp2<F8, ct::round_subnormals_to_zero_t> && has_exp2<H8>);
NO(has_exp2<H8, ct::round_subnormals_to_zero_t> || has_exp2<F8, ct::round_full_t>);
YES(has_sqrt<F8, ct::round_approximate_t> && has_sqrt<D8, ct::round_toward_zero_t>);
NO(has_sqrt<D8, ct::round_approximate_t> || has_sqrt<F8, ct::round_full_t> || has_sqrt<I8>);
YES(has_pow<F8, F8> && has_pow<F8, int> && has_pow<F8, I8> && !has_pow<F8, double> && !has_pow<I8, F8>);
YES(has_powi<F8, I8> && has_powi<H8, bool> && !has_powi<F8, L8> && !has_powi<F8, F8>);
SAME(decltype(ct::powi(H8{}, I8{})), H8);
SAME(decltype(ct::atan2(F8{}, 1)), F8);

#if !defined(__CUDACC__)
int main() {}
#endif

(** * The rounding lemma

    In large tables, the program computes with rounded weights, and drops rare outcomes. This file
    proves that the check of the program errs on the safe side. It is about the function [keeps] for
    `f64` in crates/search/src/simulatable/states/weight.rs:

<<
    let difference = DIFFERENCE * weight * Self::of(members);
    let highest = moment * (1.0 + ERROR) + lost * Self::of(most) + difference;
    let lowest = moment * (1.0 - ERROR) - difference;
    has_max: highest <= max.to_f64() * (1.0 - ERROR) * weight * Self::of(people)
    has_min: lowest >= min.to_f64() * (1.0 + ERROR) * (weight + lost) * Self::of(people)
>>

    An event is an answer to a question, such as *failed*. It has outcomes: the possible counts of the
    cells. Some of them are dropped, all others are kept.

    | here | in the program | meaning |
    |---|---|---|
    | W, M | – | the true weight of the kept outcomes, and Σ weight · members of the cell |
    | L, N | – | the same two sums over the dropped outcomes |
    | w, m | `weight`, `moment` | W and M as computed |
    | lost | `lost` | the bound of L as computed |
    | n | `people` | the people of the cell |
    | most | `most` | the most members that the cell can have |
    | d | `difference` | the error of a moment that is a difference of two others |
    | E | `ERROR` | the error that the check leaves room for, 1e-9 |

    The posterior of the cell's people is (M + N) / ((W + L) · n). All weights are shares of one total,
    as in the program: a common factor cancels. The program counts everything that it ever dropped as
    [lost] of every event. Bounds δmax = 1 and δmin = 0 hold for every share, and are not compared.

    Floating point itself is not modelled. It is *assumed*:
    - [e]: W is within a relative error e of w, and M is within a relative error e of m, up to d.
    - [u]: each side of a comparison is computed with a relative error of at most u, u < 1.
    - E is large enough for both: 1 + e ≤ (1 + E)(1 − u) and so on. For E = 1e-9, this holds for
      e = 0.9 · 1e-9 and u = 1e-11: see [constants].
    - L ≤ (1 − u) · lost, and the error of a difference is at most (1 − u) · d. The program doubles its
      bound of the dropped weight for this.

    The numbers here are fractions (exact). *)

Require Import QArith Lqa Lia.
Local Open Scope Q_scope.

Section Check.

Variables W M L N : Q.
Variables w m lost n most d E e u : Q.

(** The kept outcomes are computed with a relative error of at most e. *)
Definition kept_outcomes : Prop :=
  0 <= w /\ (1 - e) * w <= W <= (1 + e) * w /\
  0 <= m /\ (1 - e) * m - (1 - u) * d <= M <= (1 + e) * m + (1 - u) * d.

(** The dropped outcomes have a weight of at most [lost]. In each of them, the cell has from 0 to
    [most] members. *)
Definition dropped_outcomes : Prop :=
  0 <= L <= (1 - u) * lost /\ 0 <= N <= most * L.

Definition sizes : Prop := 0 <= n /\ 0 <= most /\ 0 <= d /\ 0 <= lost.

(** The reserve E is large enough for the error e of the weights and the error u of the comparison. *)
Definition reserve : Prop :=
  0 <= e /\ e <= 1 /\ 0 <= u /\ u < 1 /\ E <= 1 /\
  1 + e <= (1 + E) * (1 - u) /\ (1 - E) * (1 + u) <= 1 - e /\ 1 <= (1 + E) * (1 - u).

(** The two sides of the comparison, before they are rounded. *)
Definition highest : Q := m * (1 + E) + lost * most + d.
Definition lowest : Q := m * (1 - E) - d.
Definition upper_limit (delta_max : Q) : Q := delta_max * (1 - E) * w * n.
Definition lower_limit (delta_min : Q) : Q := delta_min * (1 + E) * (w + lost) * n.

(** A number is computed with a relative error of at most u. *)
Definition rounded (exact computed : Q) : Prop :=
  (1 - u) * exact <= computed <= (1 + u) * exact.

(** *** The check against δmax
    If the computed sides pass the comparison, then the posterior is at most δmax:
    M + N ≤ δmax · (W + L) · n. *)
Theorem accepted_is_at_most_max delta_max left right :
  kept_outcomes -> dropped_outcomes -> sizes -> reserve -> 0 <= delta_max ->
  rounded highest left -> rounded (upper_limit delta_max) right ->
  left <= right ->
  M + N <= delta_max * ((W + L) * n).
Proof.
  intros [w0 [[W1 W2] [m0 [M1 M2]]]] [[L0 L1] [N0 N1]] [n0 [k0 [d0 l0]]]
         [e0 [e1 [u0 [u1 [E1 [R1 [R2 R3]]]]]]] D0 [A1 A2] [B1 B2] C.
  unfold highest in A1. unfold upper_limit in B2.
  (* M + N is at most the rounded left side. *)
  assert (H1 : (1 + e) * m <= (1 + E) * (1 - u) * m) by (apply Qmult_le_compat_r; assumption).
  assert (H2 : N <= most * ((1 - u) * lost)).
  { apply Qle_trans with (most * L); [assumption|].
    rewrite (Qmult_comm most), (Qmult_comm most). apply Qmult_le_compat_r; assumption. }
  assert (H3 : M + N <= (1 - u) * (m * (1 + E) + lost * most + d)) by lra.
  (* The rounded right side is at most δmax · W · n. *)
  assert (H4 : (1 - E) * (1 + u) * w <= (1 - e) * w) by (apply Qmult_le_compat_r; assumption).
  assert (H5 : (1 - E) * (1 + u) * w <= W + L) by lra.
  assert (Dn : 0 <= delta_max * n) by (apply Qmult_le_0_compat; assumption).
  assert (H6 : (1 - E) * (1 + u) * w * (delta_max * n) <= (W + L) * (delta_max * n))
    by (apply Qmult_le_compat_r; assumption).
  lra.
Qed.

(** *** The check against δmin
    If the computed sides pass the comparison, then the posterior is at least δmin:
    δmin · (W + L) · n ≤ M + N. The left side [lowest] is a difference; it is rounded upwards by at
    most u times its first term. *)
Theorem accepted_is_at_least_min delta_min left right :
  kept_outcomes -> dropped_outcomes -> sizes -> reserve -> 0 <= delta_min ->
  left <= (1 + u) * (m * (1 - E)) - (1 - u) * d -> rounded (lower_limit delta_min) right ->
  right <= left ->
  delta_min * ((W + L) * n) <= M + N.
Proof.
  intros [w0 [[W1 W2] [m0 [M1 M2]]]] [[L0 L1] [N0 N1]] [n0 [k0 [d0 l0]]]
         [e0 [e1 [u0 [u1 [E1 [R1 [R2 R3]]]]]]] D0 A [B1 B2] C.
  unfold lower_limit in B1.
  assert (H1 : (1 - E) * (1 + u) * m <= (1 - e) * m) by (apply Qmult_le_compat_r; assumption).
  assert (H2 : left <= M) by lra.
  assert (H3 : (1 + e) * w <= (1 + E) * (1 - u) * w) by (apply Qmult_le_compat_r; assumption).
  assert (H4 : 1 * lost <= (1 + E) * (1 - u) * lost) by (apply Qmult_le_compat_r; assumption).
  assert (H5 : L <= lost).
  { assert (0 <= u * lost) by (apply Qmult_le_0_compat; assumption). lra. }
  assert (H6 : W + L <= (1 + E) * (1 - u) * (w + lost)) by lra.
  assert (Dn : 0 <= delta_min * n) by (apply Qmult_le_0_compat; assumption).
  assert (H7 : (W + L) * (delta_min * n) <= (1 + E) * (1 - u) * (w + lost) * (delta_min * n))
    by (apply Qmult_le_compat_r; assumption).
  lra.
Qed.

End Check.

(** The constants of the program: E = 1e-9 leaves room for an error of the weights of 0.9 · 1e-9, and
    for an error of the comparison of 1e-11. *)
Theorem constants : reserve (1 # 1000000000) (9 # 10000000000) (1 # 100000000000).
Proof. unfold reserve. repeat split; unfold Qle, Qlt; simpl; easy. Qed.

(** *** Exact weights
    Weights that fit 128 bits are integers. Then nothing is dropped or rounded. The comparison of the
    program is `lower <= least_moment && most_moment <= upper`: the numerator of δ times weight times
    people, against the moment times the denominator of δ. This is the definition of δ-presence. *)
Theorem exact_check (weight moment people numerator : Z) (denominator : positive) :
  (0 < weight * people)%Z ->
  let posterior := inject_Z moment / inject_Z (weight * people) in
  ((moment * Z.pos denominator <= numerator * (weight * people))%Z
     <-> posterior <= numerator # denominator) /\
  ((numerator * (weight * people) <= moment * Z.pos denominator)%Z
     <-> numerator # denominator <= posterior).
Proof.
  intros P posterior. subst posterior.
  assert (Q0 : 0 < inject_Z (weight * people)) by (unfold Qlt; simpl; lia).
  assert (N0 : ~ inject_Z (weight * people) == 0) by (intros Z; rewrite Z in Q0; discriminate).
  assert (E : inject_Z moment / inject_Z (weight * people) * inject_Z (weight * people)
              == inject_Z moment) by (field; exact N0).
  split.
  - rewrite <- (Qmult_le_r _ _ _ Q0), E. unfold Qle. simpl. rewrite ?Z.mul_1_r, ?Pos.mul_1_r. easy.
  - rewrite <- (Qmult_le_r _ _ _ Q0), E. unfold Qle. simpl. rewrite ?Z.mul_1_r, ?Pos.mul_1_r. easy.
Qed.

Print Assumptions accepted_is_at_most_max.
Print Assumptions accepted_is_at_least_min.
Print Assumptions constants.
Print Assumptions exact_check.

(** * The states after each answer

    The search does not keep all possible tables. It keeps *states*: possible counts of members in
    the cells. This file proves that nothing is lost by this.

    At every moment, the answers so far leave some states S possible. The invariant is:

    > A table is possible if and only if its counts are one of the states in S.

    So all tables with the same counts are possible, or none of them. Given the counts, the members of
    each cell are a uniformly random subset of its people.

    A question divides cells into a left and a right half, and asks for something that depends on the
    counts of the halves alone: the number of members in the left half of a region, or *failed*. The
    theorems:

    1. [step_invariant]: the invariant holds again after the answer, with the new cells and with the
       divided states that give this answer.
    2. [weight_of_states] and [moment_of_states]: if S has the invariant, then Σ weight(s) is the
       number of possible tables, and Σ weight(s) · s_c is n_c times the number of possible tables
       with a given person of cell c. So the posterior of this person is moment / (weight · n_c), as
       in [Share] of crates/search/src/simulatable/states/weight.rs.
    3. [weight_of_division]: a divided state has a factor C(l, k) · C(r, m − k) for each cell of l + r
       people with m members, k of them on the left. These are the weights of [Weight::divisions].
    4. [vandermonde]: Σ_k C(l, k) · C(r, m − k) = C(l + r, m). So the divisions of a state have
       together the weight of the state: the distribution is hypergeometric.
    5. [independent_clusters]: if two groups of cells have independent states, the posterior in one
       group does not depend on the other. So the search may keep them apart. *)

Require Import List Arith Lia Bool FinFun.
Require Import Cells.
Import ListNotations.

(** ** Definitions *)

(** A state has the number of members of each cell. *)
Notation state := (list nat).

Definition same_state : forall s s' : state, {s = s'} + {s <> s'} := list_eq_dec Nat.eq_dec.

(** Whether a table is possible: its counts are one of the states. *)
Definition possible (K : nat) (cells : list nat) (states : list state) (x : table) : bool :=
  if in_dec same_state (counts K cells x) states then true else false.

(** The weight of a state: the number of its tables, by the cell lemma. *)
Definition weight (K : nat) (cells : list nat) (s : state) : nat :=
  product K (fun c => choose (people_of cells c) (nth c s 0)).

Fixpoint total {A} (v : A -> nat) (l : list A) : nat :=
  match l with [] => 0 | a :: l => v a + total v l end.

(** The cells after a cut. [goes_left] says for each person whether the person is on the left. Cell c
    becomes the cells 2c (left) and 2c + 1 (right). *)
Fixpoint divide (cells : list nat) (goes_left : list bool) : list nat :=
  match cells, goes_left with
  | c :: cells, true :: goes_left => 2 * c :: divide cells goes_left
  | c :: cells, false :: goes_left => 2 * c + 1 :: divide cells goes_left
  | _, _ => []
  end.

(** The state before the cut: each cell has the members of both halves. *)
Fixpoint join (s : state) : state :=
  match s with k :: k' :: s => k + k' :: join s | _ => [] end.

(** All divisions of a state. *)
Fixpoint divisions (s : state) : list state :=
  match s with
  | [] => [[]]
  | m :: s => flat_map (fun k => map (fun s' => k :: m - k :: s') (divisions s)) (seq 0 (S m))
  end.

(** The states after an answer: all divisions of the states that give this answer. *)
Definition new_states {Answer} (same : forall a b : Answer, {a = b} + {a <> b})
  (answer : state -> Answer) (a : Answer) (states : list state) : list state :=
  filter (fun s => if same (answer s) a then true else false) (flat_map divisions states).

(** ** Lemmas *)

Lemma divisions_complete s s' :
  In s' (divisions s) <-> length s' = 2 * length s /\ join s' = s.
Proof.
  revert s'. induction s as [|m s IH]; intros s'.
  - simpl. split; [now intros [<-|[]]|]. intros [L _]. destruct s'; [auto|discriminate].
  - cbn [divisions]. rewrite in_flat_map. split.
    + intros [k [K H]]. apply in_map_iff in H. destruct H as [r [<- H]].
      apply in_seq in K. apply IH in H. destruct H as [L J]. simpl. rewrite J. split; [lia|f_equal; lia].
    + intros [L J]. destruct s' as [|k [|k' s']]; try discriminate. simpl in J, L.
      injection J as J1 J2. exists k. split; [apply in_seq; lia|].
      apply in_map_iff. exists s'. split; [f_equal; f_equal; lia|]. apply IH. split; [lia|easy].
Qed.

Lemma NoDup_flat_map {A B} (f : A -> list B) (back : B -> A) l :
  NoDup l -> (forall a, In a l -> NoDup (f a)) -> (forall a b, In b (f a) -> back b = a) ->
  NoDup (flat_map f l).
Proof.
  intros N F G. induction l as [|a l IH]; simpl; [constructor|].
  inversion_clear N as [|? ? Na Nl].
  apply NoDup_joined.
  - apply F. now left.
  - apply IH; [easy|]. intros b Hb. apply F. now right.
  - intros x Hx Hy. apply in_flat_map in Hy. destruct Hy as [b [Hb Hy]].
    apply G in Hx, Hy. congruence.
Qed.

Lemma divisions_once s : NoDup (divisions s).
Proof.
  induction s as [|m s IH]; [simpl; constructor; [easy|constructor]|].
  cbn [divisions]. apply NoDup_flat_map with (back := fun s' => hd 0 s').
  - apply seq_NoDup.
  - intros k _. apply Injective_map_NoDup; [|easy]. intros x y H. now injection H.
  - intros k b H. apply in_map_iff in H. now destruct H as [r [<- _]].
Qed.

Lemma new_states_once {Answer} same (answer : state -> Answer) a states :
  NoDup states -> NoDup (new_states same answer a states).
Proof.
  intros N. apply NoDup_filter, NoDup_flat_map with (back := join); [easy| |].
  - intros s _. apply divisions_once.
  - intros s s' H. apply divisions_complete in H. easy.
Qed.

Lemma divide_length cells goes_left : length goes_left = length cells -> length (divide cells goes_left) = length cells.
Proof.
  revert goes_left. induction cells as [|c cells IH]; intros [|[] goes_left] L; simpl in *; auto; try discriminate;
    f_equal; apply IH; lia.
Qed.

Lemma divide_in_range K cells goes_left : in_range K cells -> in_range (2 * K) (divide cells goes_left).
Proof.
  revert goes_left. induction cells as [|c cells IH]; intros goes_left R; [now destruct goes_left|].
  assert (C : c < K) by (apply R; now left). assert (R' : in_range K cells) by (intros d I; apply R; now right).
  destruct goes_left as [|[] goes_left]; [easy| |]; intros d [<-|I]; try lia; now apply (IH goes_left).
Qed.

Lemma nth_divide i cells goes_left :
  length goes_left = length cells -> i < length cells ->
  nth i (divide cells goes_left) 0 = 2 * nth i cells 0 + (if nth i goes_left false then 0 else 1).
Proof.
  revert i goes_left. induction cells as [|c cells IH]; intros i [|b goes_left] L I; simpl in L, I; try lia.
  destruct i as [|i]; [destruct b; cbn; lia|].
  destruct b; cbn [divide nth]; apply IH; lia.
Qed.

Ltac compare_cells :=
  repeat match goal with |- context [?a =? ?b] =>
    let E := fresh in destruct (a =? b) eqn:E; [apply Nat.eqb_eq in E|apply Nat.eqb_neq in E] end;
  simpl; lia.

Lemma members_divide cells goes_left x c :
  length goes_left = length cells ->
  members_of cells x c
  = members_of (divide cells goes_left) x (2 * c) + members_of (divide cells goes_left) x (2 * c + 1).
Proof.
  revert goes_left x. induction cells as [|d cells IH]; intros [|l goes_left] x L; simpl in L; try lia; [easy|].
  destruct x as [|b x]; [now destruct l|]. injection L as L.
  destruct l; cbn [divide members_of]; rewrite (IH goes_left x L); destruct b; cbn [andb]; compare_cells.
Qed.

Lemma people_divide cells goes_left c :
  length goes_left = length cells ->
  people_of cells c
  = people_of (divide cells goes_left) (2 * c) + people_of (divide cells goes_left) (2 * c + 1).
Proof.
  unfold people_of.
  revert goes_left. induction cells as [|d cells IH]; intros [|l goes_left] L; simpl in L; try lia; [easy|].
  injection L as L.
  destruct l; cbn [divide count_occ]; rewrite (IH goes_left L);
    repeat match goal with |- context [Nat.eq_dec ?a ?b] => destruct (Nat.eq_dec a b) end; lia.
Qed.

Lemma counts_length K cells x : length (counts K cells x) = K.
Proof. unfold counts. now rewrite map_length, seq_length. Qed.

Lemma counts_divide K cells goes_left x :
  length goes_left = length cells ->
  join (counts (2 * K) (divide cells goes_left) x) = counts K cells x.
Proof.
  intros L. unfold counts.
  enough (E : forall first, join (map (members_of (divide cells goes_left) x) (seq (2 * first) (2 * K)))
                            = map (members_of cells x) (seq first K)) by apply (E 0).
  induction K as [|K IH]; intros first; [easy|].
  replace (2 * S K) with (S (S (2 * K))) by lia. cbn [seq map join].
  rewrite (members_divide cells goes_left x first L). f_equal.
  - f_equal. f_equal. lia.
  - replace (S (S (2 * first))) with (2 * S first) by lia. apply IH.
Qed.

(** ** The theorems *)

(** *** The step invariant
    After an answer, a table is possible if and only if it was possible before and gives this answer.
    The new states say exactly this about the new cells. *)
Theorem step_invariant {Answer} (same : forall a b : Answer, {a = b} + {a <> b})
  K cells goes_left states (answer : state -> Answer) a x :
  length goes_left = length cells ->
  possible (2 * K) (divide cells goes_left) (new_states same answer a states) x
  = possible K cells states x
    && (if same (answer (counts (2 * K) (divide cells goes_left) x)) a then true else false).
Proof.
  intros L. pose proof (counts_divide K cells goes_left x L) as J.
  unfold possible. set (s' := counts (2 * K) (divide cells goes_left) x) in *.
  assert (Len : length s' = 2 * length (counts K cells x)).
  { unfold s'. now rewrite !counts_length. }
  apply bool_ext. rewrite andb_true_iff.
  assert (I : In s' (new_states same answer a states)
              <-> In (counts K cells x) states /\ answer s' = a).
  { unfold new_states. rewrite filter_In, in_flat_map. split.
    - intros [[s [Hs H]] A]. apply divisions_complete in H. destruct H as [_ H].
      rewrite H in J. subst s. split; [easy|]. now destruct (same (answer s') a).
    - intros [Hs A]. split.
      + exists (counts K cells x). split; [easy|]. apply divisions_complete. easy.
      + now destruct (same (answer s') a). }
  destruct (in_dec same_state s' (new_states same answer a states)) as [Y|Y];
    destruct (in_dec same_state (counts K cells x) states) as [Z|Z];
    destruct (same (answer s') a) as [A|A]; tauto || (split; [easy|]; intros [? ?]; easy) || idtac.
Qed.

(** Tables with the same counts are all possible, or none of them is. *)
Theorem possible_by_counts K cells states x y :
  counts K cells x = counts K cells y -> possible K cells states x = possible K cells states y.
Proof. intros E. unfold possible. now rewrite E. Qed.

(** Tables can be counted state by state. *)
Lemma number_by_states K cells states (f : table -> bool) n :
  NoDup states ->
  number (fun x => possible K cells states x && f x) n
  = total (fun s => number (fun x => has_counts K cells s x && f x) n) states.
Proof.
  intros N. induction states as [|s states IH]; simpl.
  - apply number_0. intros x _. unfold possible. now destruct (in_dec same_state (counts K cells x) []).
  - inversion_clear N as [|? ? Ns Nl]. rewrite <- (IH Nl). clear IH.
    unfold number. induction (tables n) as [|x l I]; [easy|]. simpl.
    assert (E : possible K cells (s :: states) x = has_counts K cells s x || possible K cells states x).
    { unfold possible, has_counts. set (c := counts K cells x).
      apply bool_ext. rewrite orb_true_iff.
      destruct (in_dec same_state c (s :: states)) as [Y|Y]; destruct (list_eq_dec Nat.eq_dec c s) as [A|A];
        destruct (in_dec same_state c states) as [Z|Z]; simpl in Y; split; try tauto; try easy;
        exfalso; firstorder congruence. }
    assert (X : has_counts K cells s x && possible K cells states x = false).
    { unfold possible, has_counts. destruct (list_eq_dec Nat.eq_dec (counts K cells x) s) as [<-|]; [|easy].
      now destruct (in_dec same_state (counts K cells x) states). }
    rewrite E. destruct (has_counts K cells s x), (possible K cells states x), (f x);
      simpl in *; try discriminate; rewrite I; lia.
Qed.

(** *** The weight of the states is the number of possible tables. *)
Theorem weight_of_states K cells states :
  in_range K cells -> NoDup states -> (forall s, In s states -> length s = K) ->
  number (possible K cells states) (length cells) = total (weight K cells) states.
Proof.
  intros R N L.
  rewrite (number_ext _ (fun x => possible K cells states x && true)) by (intros; now rewrite andb_true_r).
  rewrite number_by_states by easy. clear N.
  induction states as [|s states IH]; [easy|]. simpl. f_equal.
  - unfold weight. rewrite <- number_of_tables by auto using in_eq.
    apply number_ext. intros. now rewrite andb_true_r.
  - apply IH. intros. apply L. now right.
Qed.

(** *** The moment of the states is n_c times the number of possible tables with a person of cell c. *)
Theorem moment_of_states K cells states i :
  in_range K cells -> NoDup states -> (forall s, In s states -> length s = K) -> i < length cells ->
  let c := nth i cells 0 in
  people_of cells c * number (fun x => possible K cells states x && is_member i x) (length cells)
  = total (fun s => weight K cells s * nth c s 0) states.
Proof.
  intros R N L I c. rewrite number_by_states by easy. clear N.
  induction states as [|s states IH]; simpl; [lia|].
  rewrite Nat.mul_add_distr_l, IH by (intros; apply L; now right). f_equal.
  assert (Ls : length s = K) by (apply L; now left).
  pose proof (share_in_cell K cells s i R Ls I) as E. cbv zeta in E. fold c in E.
  rewrite E, (number_of_tables K cells s R Ls). unfold weight. lia.
Qed.

(** *** The weight of a divided state *)
Theorem weight_of_division K cells goes_left s :
  weight (2 * K) (divide cells goes_left) s
  = product K (fun c =>
      let l := people_of (divide cells goes_left) (2 * c) in
      let r := people_of (divide cells goes_left) (2 * c + 1) in
      choose l (nth (2 * c) s 0) * choose r (nth (2 * c + 1) s 0)).
Proof.
  unfold weight. set (f := fun c => choose (people_of (divide cells goes_left) c) (nth c s 0)).
  cbv zeta. change (product (2 * K) f = product K (fun c => f (2 * c) * f (2 * c + 1))).
  induction K as [|K IH]; [easy|].
  replace (2 * S K) with (S (S (2 * K))) by lia. cbn [product]. rewrite IH.
  replace (S (2 * K)) with (2 * K + 1) by lia. ring.
Qed.

(** *** The divisions of a cell together *)
Lemma total_ext {A} (v v' : A -> nat) l : (forall a, In a l -> v a = v' a) -> total v l = total v' l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [easy|]. rewrite H, IH; auto.
Qed.

Lemma total_add {A} (v v' : A -> nat) l : total (fun a => v a + v' a) l = total v l + total v' l.
Proof. induction l as [|a l IH]; simpl; [easy|]. rewrite IH. lia. Qed.

Lemma total_seq_S (v : nat -> nat) first m :
  total v (seq (S first) m) = total (fun k => v (S k)) (seq first m).
Proof. revert first. induction m as [|m IH]; intros first; simpl; [easy|]. now rewrite IH. Qed.

Lemma total_seq_0 (v : nat -> nat) m :
  total v (seq 0 (S m)) = v 0 + total (fun k => v (S k)) (seq 0 m).
Proof. cbn [seq total]. now rewrite total_seq_S. Qed.

Theorem vandermonde l r m :
  total (fun k => choose l k * choose r (m - k)) (seq 0 (S m)) = choose (l + r) m.
Proof.
  revert m. induction l as [|l IH]; intros m; rewrite total_seq_0, Nat.sub_0_r.
  - rewrite (total_ext _ (fun _ => 0)) by easy. cbn [choose Nat.add].
    enough (E : forall first, total (fun _ : nat => 0) (seq first m) = 0) by (rewrite E; lia).
    induction m as [|m I]; intros first; simpl; auto.
  - destruct m as [|m].
    + simpl. now rewrite !choose_0.
    + rewrite (total_ext _ (fun k => choose l k * choose r (m - k) + choose l (S k) * choose r (m - k)))
        by (intros; cbn [choose Nat.sub]; ring).
      rewrite total_add, (IH m). cbn [Nat.add choose]. rewrite <- (IH (S m)).
      rewrite (total_seq_0 _ (S m)), choose_0, Nat.sub_0_r. cbn [Nat.sub].
      lia.
Qed.

(** *** Independent clusters
    Two clusters of cells have states with weights w and w', and every state of one may occur with
    every state of the other. Then Σ weight · members of the first cluster, and Σ weight, both have
    the weight of the second cluster as a factor. So the posterior in the first cluster does not
    depend on the second. *)
Theorem independent_clusters {A B} (w members : A -> nat) (w' : B -> nat) (S : list A) (S' : list B) :
  total (fun s => w (fst s) * w' (snd s)) (list_prod S S') = total w S * total w' S' /\
  total (fun s => w (fst s) * w' (snd s) * members (fst s)) (list_prod S S')
  = total (fun s => w s * members s) S * total w' S'.
Proof.
  assert (Tapp : forall (v : A * B -> nat) l1 l2, total v (l1 ++ l2) = total v l1 + total v l2).
  { intros v. induction l1 as [|a l1 I]; simpl; intros; [easy|]. rewrite I. lia. }
  assert (Tmap : forall (v : A * B -> nat) a l, total v (map (fun b => (a, b)) l) = total (fun b => v (a, b)) l).
  { intros v a. induction l as [|b l I]; simpl; [easy|]. now rewrite I. }
  assert (Tmul : forall k (l : list B), total (fun b => k * w' b) l = k * total w' l).
  { intros k. induction l as [|b l I]; simpl; [lia|]. rewrite I. lia. }
  induction S as [|a S [I1 I2]]; simpl; [lia|].
  rewrite !Tapp, !Tmap, I1, I2. cbn [fst snd].
  rewrite (total_ext (fun b => w a * w' b * members a) (fun b => w a * members a * w' b))
    by (intros; ring).
  rewrite !Tmul. split; ring.
Qed.

Print Assumptions step_invariant.
Print Assumptions possible_by_counts.
Print Assumptions weight_of_states.
Print Assumptions moment_of_states.
Print Assumptions weight_of_division.
Print Assumptions vandermonde.
Print Assumptions independent_clusters.

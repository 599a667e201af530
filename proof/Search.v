(** * The search as a whole

    This file puts the other proofs together. A search holds states and never a table. After each
    answer it computes weights and moments from the states alone, and compares them with δ. The theorem
    says that this is enough: if T is one of all tables with t members, and all of them are equally
    likely, then everyone's posterior is within δ for every release.

    The posterior of a person for a release is the share, among all tables with t members that lead to
    this release, of those that have the person. It is the definition in docs/guarantee.md. *)

Require Import List Arith ZArith Lia Bool.
Require Import Transcript Cells States.
Import ListNotations.

Section Search.

Variables Answer Release : Type.
Variable same_answer : forall a b : Answer, {a = b} + {a <> b}.
Variable same_release : forall a b : Release, {a = b} + {a <> b}.
(** δmin = low/den and δmax = high/den. *)
Variables low high den : Z.

(** A search stops with a release, or cuts cells. A cut says for each person whether the person is on
    the left. The answer is a function of the counts of the new cells. For the search of the program
    it is the members in the left half of a region, or *failed* if this number is not accepted. *)
Inductive search : Type :=
| Stop (r : Release)
| Cut (goes_left : list bool) (answer : state -> Answer) (next : Answer -> search).

(** Everyone is within δ by the weights and the moments of the states. A person of cell c has the
    posterior moment / (weight · people of c). *)
Definition states_within (K : nat) (cells : list nat) (states : list state) : Prop :=
  forall i, i < length cells ->
  let c := nth i cells 0 in
  let n := Z.of_nat (people_of cells c) in
  let W := Z.of_nat (total (weight K cells) states) in
  let M := Z.of_nat (total (fun s => weight K cells s * nth c s 0) states) in
  (low * (n * W) <= den * M <= high * (n * W))%Z.

(** The states that the search has after its last answer are within δ, whatever the answers are. *)
Fixpoint leaves_within (K : nat) (cells : list nat) (states : list state) (s : search) : Prop :=
  match s with
  | Stop _ => states_within K cells states
  | Cut goes_left answer next =>
      length goes_left = length cells /\
      forall a, leaves_within (2 * K) (divide cells goes_left)
                  (new_states same_answer answer a states) (next a)
  end.

(** The search checks each question before it asks: every answer leaves everyone within δ. *)
Fixpoint questions_within (K : nat) (cells : list nat) (states : list state) (s : search) : Prop :=
  match s with
  | Stop _ => True
  | Cut goes_left answer next =>
      length goes_left = length cells /\
      forall a, let new := new_states same_answer answer a states in
        states_within (2 * K) (divide cells goes_left) new /\
        questions_within (2 * K) (divide cells goes_left) new (next a)
  end.

Lemma questions_then_leaves K cells states s :
  states_within K cells states -> questions_within K cells states s -> leaves_within K cells states s.
Proof.
  revert K cells states. induction s as [r|goes_left answer next IH]; intros K cells states W Q; [easy|].
  destruct Q as [L Q]. split; [easy|]. intros a. destruct (Q a) as [Wa Qa]. now apply IH.
Qed.

(** The search as a tree of questions to T. *)
Fixpoint tree (K : nat) (cells : list nat) (s : search) : algorithm table Answer Release :=
  match s with
  | Stop r => Publish _ _ _ r
  | Cut goes_left answer next =>
      Ask _ _ _ (fun x => answer (counts (2 * K) (divide cells goes_left) x))
                (fun a => tree (2 * K) (divide cells goes_left) (next a))
  end.

(** A person is a number; numbers beyond the last person are members of no table. All tables have the
    weight 1. *)
Definition within (people : nat) (x : list table) : Prop :=
  forall i, i < people ->
  (low * Z.of_nat (length x) <= den * Z.of_nat (length (filter (is_member i) x))
   <= high * Z.of_nat (length x))%Z.

(** The tables that lead to a release. *)
Definition leading_to (K : nat) (cells : list nat) (s : search) (r : Release) (x : list table) :=
  filter (fun T => if same_release (release _ _ _ (tree K cells s) T) r then true else false) x.

Lemma within_of_states K cells states :
  in_range K cells -> NoDup states -> (forall s, In s states -> length s = K) ->
  states_within K cells states ->
  within (length cells) (filter (possible K cells states) (tables (length cells))).
Proof.
  intros R N L W i I. specialize (W i I). cbv zeta in W.
  rewrite <- weight_of_states in W by easy.
  pose proof (moment_of_states K cells states i R N L I) as M. cbv zeta in M.
  rewrite <- M in W. clear M.
  assert (P : 0 < people_of cells (nth i cells 0)) by (apply count_occ_In, nth_In; easy).
  assert (E : length (filter (is_member i) (filter (possible K cells states) (tables (length cells))))
              = number (fun x => possible K cells states x && is_member i x) (length cells)).
  { unfold number. f_equal. induction (tables (length cells)) as [|x l IH]; [easy|].
    simpl. destruct (possible K cells states x); simpl; [|easy].
    destruct (is_member i x); simpl; now rewrite IH. }
  rewrite E. unfold number in *.
  rewrite Nat2Z.inj_mul in W. nia.
Qed.

Lemma new_states_length answer (a : Answer) K states :
  (forall s, In s states -> length s = K) ->
  forall s, In s (new_states same_answer answer a states) -> length s = 2 * K.
Proof.
  intros L s H. unfold new_states in H. apply filter_In in H. destruct H as [H _].
  apply in_flat_map in H. destruct H as [s0 [H0 H]].
  apply divisions_complete in H. destruct H as [H _]. rewrite (L s0 H0) in H. easy.
Qed.

(** [within] is the notion of the transcript theorem, for people with a number below [people]. *)
Definition member_below (people : nat) (T : table) (i : nat) : bool := is_member (Nat.min i (people - 1)) T.

Lemma within_iff people x :
  0 < people ->
  within people x <-> within_delta table nat (member_below people) (fun _ => 1%Z) low high den x.
Proof.
  intros P.
  assert (S : forall l : list table, sum (fun _ => 1%Z) l = Z.of_nat (length l)).
  { induction l as [|a l IH]; [easy|]. cbn [sum fold_right length] in *. unfold sum in IH. lia. }
  unfold within, within_delta, all_weight, weight_with. split.
  - intros H i. rewrite !S. unfold member_below.
    apply (H (Nat.min i (people - 1))). lia.
  - intros H i I. specialize (H i). rewrite !S in H. unfold member_below in H.
    now rewrite Nat.min_l in H by lia.
Qed.

Lemma leaves_theorem K cells states s :
  0 < length cells ->
  in_range K cells -> NoDup states -> (forall s, In s states -> length s = K) ->
  leaves_within K cells states s ->
  forall t, within_delta table nat (member_below (length cells)) (fun _ => 1%Z) low high den
    (with_transcript _ _ _ same_answer (tree K cells s) t
      (filter (possible K cells states) (tables (length cells)))).
Proof.
  intros P. revert K cells states P.
  induction s as [r|goes_left answer next IH]; intros K cells states P R N L H t.
  - cbn [leaves_within tree] in *. destruct t as [|a t]; unfold with_transcript.
    + rewrite (filter_all _ (filter _ _)) by easy. apply within_iff; [easy|]. now apply within_of_states.
    + rewrite (filter_none _ (filter _ _)) by easy. intros i. cbn. lia.
  - cbn [leaves_within tree] in *. destruct H as [G H]. destruct t as [|a t].
    + unfold with_transcript. rewrite (filter_none _ (filter _ _)); [intros i; cbn; lia|].
      intros T _. cbn [transcript]. now destruct (list_eq_dec _ _ _).
    + rewrite <- transcript_step. unfold answering.
      assert (E : filter (fun T => if same_answer (answer (counts (2 * K) (divide cells goes_left) T)) a
                                   then true else false)
                    (filter (possible K cells states) (tables (length cells)))
                  = filter (possible (2 * K) (divide cells goes_left)
                              (new_states same_answer answer a states)) (tables (length cells))).
      { induction (tables (length cells)) as [|x l I]; [easy|]. cbn [filter].
        rewrite (step_invariant same_answer K cells goes_left states answer a x G), <- I.
        destruct (possible K cells states x); cbn [andb filter]; [|easy].
        destruct (same_answer _ a); easy. }
      rewrite E. rewrite <- (divide_length cells goes_left G) at 1 2.
      apply IH.
      * now rewrite divide_length.
      * now apply divide_in_range.
      * now apply new_states_once.
      * now apply new_states_length.
      * apply H.
Qed.

(** *** The theorem on the search
    P has some people. T is one of all tables with t members. If the states are within δ at the end of
    the search, whatever the answers are, then everyone is within δ for each release. *)
Theorem safe_search (people t : nat) (s : search) :
  0 < people ->
  let everybody := repeat 0 people in
  leaves_within 1 everybody [[t]] s ->
  forall r, within people
    (leading_to 1 everybody s r (filter (fun x => count_occ bool_dec x true =? t) (tables people))).
Proof.
  intros P everybody H r.
  assert (Len : length everybody = people) by apply repeat_length.
  assert (C : forall x, length x = people -> members_of everybody x 0 = count_occ bool_dec x true).
  { unfold everybody. clear. induction people as [|n IH]; intros [|b x] L; simpl in L; try discriminate; [easy|].
    injection L as L. cbn. rewrite (IH x L). destruct b; simpl; lia. }
  assert (E : filter (fun x => count_occ bool_dec x true =? t) (tables people)
              = filter (possible 1 everybody [[t]]) (tables people)).
  { apply filter_ext_in. intros x I. apply tables_complete in I.
    unfold possible, counts. cbn [seq map]. rewrite (C x I).
    destruct (in_dec same_state [count_occ bool_dec x true] [[t]]) as [Y|Y].
    - destruct Y as [Z|[]]. injection Z as Z. now apply Nat.eqb_eq.
    - apply Nat.eqb_neq. intros Z. apply Y. rewrite Z. now left. }
  rewrite E. apply within_iff; [easy|].
  apply (transcript_theorem table nat (member_below people) (fun _ => 1%Z) low high den
           Answer Release same_answer same_release (tree 1 everybody s)).
  rewrite <- Len. apply leaves_theorem; try easy.
  - now rewrite Len.
  - intros c I. apply repeat_spec in I. lia.
  - constructor; [easy|constructor].
  - now intros c [<-|[]].
Qed.

(** The same for a search that checks each question before it asks. Before the first question, every
    posterior is t/people. *)
Theorem safe_questions (people t : nat) (s : search) :
  0 < people ->
  let everybody := repeat 0 people in
  states_within 1 everybody [[t]] -> questions_within 1 everybody [[t]] s ->
  forall r, within people
    (leading_to 1 everybody s r (filter (fun x => count_occ bool_dec x true =? t) (tables people))).
Proof. intros P everybody W Q. apply safe_search; [easy|]. now apply questions_then_leaves. Qed.

End Search.

Print Assumptions safe_search.
Print Assumptions safe_questions.

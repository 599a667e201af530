(** * The transcript theorem

    An algorithm asks questions about the private table T. Which question comes next depends on the
    earlier answers alone. So an algorithm is a tree: each inner node is a question, each branch an
    answer, and each leaf a release.

    An attacker knows this tree, P and the number of members. For the attacker, some tables are
    possible before the first question. Each possible table has a weight. All weights are 1 if the
    tables are equally likely. The posterior of a person, after some answers or for a release, is

        (weight of the tables with this person) / (weight of all tables)

    over the possible tables that lead to these answers, or to this release.

    The theorem: if the posterior of everyone is from δmin to δmax at each leaf, then it is from δmin
    to δmax for each release. Several leaves may have the same release. *)

Require Import List ZArith Lia.
Import ListNotations.
Local Open Scope Z_scope.

(** ** Sums over lists *)

Definition sum {A} (v : A -> Z) (l : list A) : Z := fold_right (fun a s => v a + s) 0 l.

Lemma sum_filter {A} (v : A -> Z) (f : A -> bool) l :
  sum v l = sum v (filter f l) + sum v (filter (fun a => negb (f a)) l).
Proof. induction l as [|a l IH]; simpl; [easy|]. destruct (f a); simpl; lia. Qed.

Lemma filter_filter {A} (f g : A -> bool) l : filter f (filter g l) = filter g (filter f l).
Proof.
  induction l as [|a l IH]; simpl; [easy|].
  destruct (f a) eqn:F, (g a) eqn:G; simpl; rewrite ?F, ?G, IH; easy.
Qed.

Lemma filter_all {A} (f : A -> bool) l : (forall a, In a l -> f a = true) -> filter f l = l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [easy|].
  rewrite (H a) by auto. f_equal. auto.
Qed.

Lemma filter_none {A} (f : A -> bool) l : (forall a, In a l -> f a = false) -> filter f l = [].
Proof. induction l as [|a l IH]; simpl; intros H; [easy|]. rewrite (H a) by auto. auto. Qed.

Lemma filter_length_le {A} (f : A -> bool) l : (length (filter f l) <= length l)%nat.
Proof. induction l as [|a l IH]; simpl; [lia|]. destruct (f a); simpl; lia. Qed.

(** If the elements are grouped by a key, and the sum of each group is at least 0, so is the sum of
    all. *)
Lemma groups {A K} (same : forall a b : K, {a = b} + {a <> b}) (key : A -> K) (v : A -> Z) l :
  (forall k, 0 <= sum v (filter (fun a => if same (key a) k then true else false) l)) -> 0 <= sum v l.
Proof.
  remember (length l) as n eqn:N. revert l N.
  induction n as [n IH] using lt_wf_ind. intros l N H.
  destruct l as [|a l]; [simpl; lia|].
  set (f := fun b => if same (key b) (key a) then true else false).
  rewrite (sum_filter v f).
  assert (0 <= sum v (filter f (a :: l))) by apply H.
  assert (0 <= sum v (filter (fun b => negb (f b)) (a :: l))); [|lia].
  eapply IH; [|reflexivity|].
  - subst n. simpl. unfold f at 1. destruct (same (key a) (key a)); [|easy]. simpl.
    pose proof (filter_length_le (fun b => negb (f b)) l). lia.
  - intros k. rewrite filter_filter.
    destruct (same k (key a)) as [->|D].
    + fold f. rewrite filter_none; [simpl; lia|].
      intros b Hb. apply filter_In in Hb. destruct Hb as [_ Hb]. now rewrite Hb.
    + rewrite filter_all; [apply H|].
      intros b Hb. apply filter_In in Hb. destruct Hb as [_ Hb]. unfold f.
      destruct (same (key b) k) as [E|]; [|easy]. destruct (same (key b) (key a)); [congruence|easy].
Qed.

Section Algorithm.

(** The possible tables, and who is a member. *)
Variables Table Person : Type.
Variable member : Table -> Person -> bool.
(** The weight of a table: how likely it is, up to a common factor. *)
Variable weight : Table -> Z.
(** δmin = low/den and δmax = high/den. *)
Variables low high den : Z.

Variables Answer Release : Type.
Variable same_answer : forall a b : Answer, {a = b} + {a <> b}.
Variable same_release : forall a b : Release, {a = b} + {a <> b}.

(** An algorithm publishes a release, or asks a question. A question is a function of the table. What
    comes next is a function of the answer. *)
Inductive algorithm : Type :=
| Publish (r : Release)
| Ask (question : Table -> Answer) (next : Answer -> algorithm).

(** The release for a table, and the answers that led to it. *)
Fixpoint release (alg : algorithm) (T : Table) : Release :=
  match alg with
  | Publish r => r
  | Ask question next => release (next (question T)) T
  end.

Fixpoint transcript (alg : algorithm) (T : Table) : list Answer :=
  match alg with
  | Publish _ => []
  | Ask question next => question T :: transcript (next (question T)) T
  end.

(** The tables that answer a question so, that have this transcript, or this release. *)
Definition answering (question : Table -> Answer) (a : Answer) :=
  filter (fun T => if same_answer (question T) a then true else false).
Definition with_transcript (alg : algorithm) (s : list Answer) :=
  filter (fun T => if list_eq_dec same_answer (transcript alg T) s then true else false).
Definition with_release (alg : algorithm) (r : Release) :=
  filter (fun T => if same_release (release alg T) r then true else false).

(** The weight of some tables, and of those among them that have a person. *)
Definition all_weight (tables : list Table) : Z := sum weight tables.
Definition weight_with (p : Person) (tables : list Table) : Z :=
  sum weight (filter (fun T => member T p) tables).

(** Everyone's posterior among these tables is from low/den to high/den. If there are no such tables,
    both sides are 0. *)
Definition within_delta (tables : list Table) : Prop :=
  forall p, low * all_weight tables <= den * weight_with p tables <= high * all_weight tables.

(** Both bounds are sums over tables. *)
Let above p T := high * weight T - den * (if member T p then weight T else 0).
Let below p T := den * (if member T p then weight T else 0) - low * weight T.

Lemma bounds_are_sums tables :
  within_delta tables <-> forall p, 0 <= sum (below p) tables /\ 0 <= sum (above p) tables.
Proof.
  assert (E : forall p, sum (above p) tables = high * all_weight tables - den * weight_with p tables
                     /\ sum (below p) tables = den * weight_with p tables - low * all_weight tables).
  { intros p. unfold all_weight, weight_with.
    induction tables as [|T l IH]; simpl; [lia|]. destruct IH as [A B]. rewrite A, B.
    unfold above, below. destruct (member T p); simpl; lia. }
  split; intros H p; specialize (H p); destruct (E p) as [A B]; lia.
Qed.

(** If everyone is within δ after each answer to a question, everyone was within δ before. *)
Lemma within_after_each_answer question tables :
  (forall a, within_delta (answering question a tables)) -> within_delta tables.
Proof.
  intros H. apply bounds_are_sums. intros p.
  split; apply (groups same_answer question); intros a; specialize (H a);
    rewrite bounds_are_sums in H; apply (H p).
Qed.

(** The tables with an answer and then a transcript, or then a release. *)
Lemma transcript_step question next a s tables :
  with_transcript (next a) s (answering question a tables)
  = with_transcript (Ask question next) (a :: s) tables.
Proof.
  unfold with_transcript, answering. induction tables as [|T l IH]; [easy|].
  cbn [filter transcript].
  destruct (same_answer (question T) a) as [E|E]; cbn [filter]; rewrite IH.
  - set (one := list_eq_dec same_answer _ _). set (other := list_eq_dec same_answer (_ :: _) _).
    destruct one as [F|F], other as [G|G]; try easy; exfalso; rewrite E in *; congruence.
  - set (other := list_eq_dec same_answer (_ :: _) _).
    destruct other as [F|F]; [injection F; congruence|easy].
Qed.

Lemma release_step question next a r tables :
  answering question a (with_release (Ask question next) r tables)
  = with_release (next a) r (answering question a tables).
Proof.
  unfold with_release. unfold answering at 1. rewrite filter_filter. fold (answering question a tables).
  unfold answering. induction tables as [|T l IH]; [easy|].
  cbn [filter release] in IH |- *. destruct (same_answer (question T) a) as [E|E].
  - cbn [filter release]. rewrite E. destruct (same_release (release (next a) T) r); [|easy].
    cbn [filter]. destruct (same_answer (question T) a); [|easy]. now rewrite IH.
  - destruct (same_release (release (next (question T)) T) r); [|easy].
    cbn [filter]. destruct (same_answer (question T) a); easy.
Qed.

(** *** The transcript theorem *)
Theorem transcript_theorem (alg : algorithm) (tables : list Table) :
  (forall s, within_delta (with_transcript alg s tables)) ->
  forall r, within_delta (with_release alg r tables).
Proof.
  revert tables. induction alg as [r'|question next IH]; intros tables H r.
  - destruct (same_release r' r) as [E|E].
    + specialize (H []). unfold with_transcript in H. rewrite filter_all in H by easy.
      unfold with_release. rewrite filter_all; [exact H|].
      intros T _. simpl. now destruct (same_release r' r).
    + unfold with_release. rewrite filter_none; [intros p; cbn; lia|].
      intros T _. simpl. now destruct (same_release r' r).
  - apply (within_after_each_answer question). intros a.
    assert (Ha : within_delta (with_release (next a) r (answering question a tables))).
    { apply IH. intros s. rewrite transcript_step. apply H. }
    rewrite <- release_step in Ha. exact Ha.
Qed.

(** What a search has to check. Each question that it may reach keeps everyone within δ after every
    possible answer. *)
Fixpoint checked (alg : algorithm) (tables : list Table) : Prop :=
  match alg with
  | Publish _ => True
  | Ask question next =>
      forall a, within_delta (answering question a tables) /\ checked (next a) (answering question a tables)
  end.

(** *** The rule of the search
    If everyone is within δ before the first question, and every question is checked, then everyone
    is within δ for each transcript, and so for each release. *)
Theorem checked_transcripts (alg : algorithm) (tables : list Table) :
  within_delta tables -> checked alg tables ->
  forall s, within_delta (with_transcript alg s tables).
Proof.
  revert tables. induction alg as [r'|question next IH]; intros tables W C s.
  - destruct s as [|a s]; unfold with_transcript.
    + now rewrite filter_all.
    + rewrite filter_none; [intros p; cbn; lia|easy].
  - destruct s as [|a s].
    + unfold with_transcript. rewrite filter_none; [intros p; cbn; lia|].
      intros T _. cbn [transcript]. now destruct (list_eq_dec _ _ _).
    + destruct (C a) as [Wa Ca]. rewrite <- transcript_step. now apply IH.
Qed.

Theorem checked_releases (alg : algorithm) (tables : list Table) :
  within_delta tables -> checked alg tables ->
  forall r, within_delta (with_release alg r tables).
Proof. intros W C. apply transcript_theorem. now apply checked_transcripts. Qed.

End Algorithm.

Print Assumptions transcript_theorem.
Print Assumptions checked_transcripts.
Print Assumptions checked_releases.

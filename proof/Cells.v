(** * The cell lemma

    P has some people, and each of them belongs to a cell. A table T says for each person of P whether
    the person is a member. Only the number of members in each cell is known: m_c of the n_c people of
    cell c. The lemma says, if all tables are equally likely:

    1. The number of tables with these counts is the product of the binomial coefficients C(n_c, m_c).
    2. A person of cell c is in a share m_c/n_c of these tables. So all people of a cell have the same
       posterior.

    The second point is written without fractions: n_c · (tables with the person) = m_c · (all tables). *)

Require Import List Arith Lia Bool FinFun.
Import ListNotations.

(** ** Definitions *)

(** Binomial coefficients, by Pascal's triangle. *)
Fixpoint choose (n k : nat) : nat :=
  match n, k with
  | _, 0 => 1
  | 0, S _ => 0
  | S n, S k => choose n k + choose n (S k)
  end.

(** The product f(0) · f(1) · … · f(count − 1). *)
Fixpoint product (count : nat) (f : nat -> nat) : nat :=
  match count with
  | 0 => 1
  | S c => f c * product c f
  end.

(** A table: for each person of P, whether the person is a member. *)
Notation table := (list bool).

(** All tables of a number of people. *)
Fixpoint tables (people : nat) : list table :=
  match people with
  | 0 => [[]]
  | S n => map (cons true) (tables n) ++ map (cons false) (tables n)
  end.

(** [cells] has the cell of each person. The people of a cell, and its members in a table. *)
Definition people_of (cells : list nat) (c : nat) : nat := count_occ Nat.eq_dec cells c.

Fixpoint members_of (cells : list nat) (x : table) (c : nat) : nat :=
  match cells, x with
  | d :: cells, b :: x => (if b && (d =? c) then 1 else 0) + members_of cells x c
  | _, _ => 0
  end.

(** The members of each of the cells 0, 1, …, count − 1. *)
Definition counts (count : nat) (cells : list nat) (x : table) : list nat :=
  map (members_of cells x) (seq 0 count).

Definition has_counts (count : nat) (cells : list nat) (m : list nat) (x : table) : bool :=
  if list_eq_dec Nat.eq_dec (counts count cells x) m then true else false.

(** Whether person number i is a member. *)
Definition is_member (i : nat) (x : table) : bool := nth i x false.

(** The number of tables with a property. *)
Definition number (property : table -> bool) (people : nat) : nat :=
  length (filter property (tables people)).

(** ** [tables] has every table once *)

Lemma tables_complete n x : In x (tables n) <-> length x = n.
Proof.
  revert x. induction n as [|n IH]; intros x; simpl.
  - split; [now intros [<-|[]]|]. destruct x; simpl; [auto|lia].
  - rewrite in_app_iff, !in_map_iff. split.
    + intros [[y [<- H]]|[y [<- H]]]; apply IH in H; simpl; lia.
    + destruct x as [|b y]; simpl; intros H; [lia|]. injection H as H. apply IH in H.
      destruct b; [left|right]; exists y; auto.
Qed.

(** Two lists without repetitions and without common elements have none together. *)
Lemma NoDup_joined {A} (l1 l2 : list A) :
  NoDup l1 -> NoDup l2 -> (forall x, In x l1 -> ~ In x l2) -> NoDup (l1 ++ l2).
Proof.
  induction l1 as [|a l1 I]; simpl; intros H1 H2 H; [easy|].
  inversion_clear H1 as [|? ? Na N1]. constructor.
  - rewrite in_app_iff. intros [K|K]; [easy|]. apply (H a); auto.
  - apply I; auto.
Qed.

Lemma tables_once n : NoDup (tables n).
Proof.
  induction n as [|n IH]; simpl; [constructor; [easy|constructor]|].
  assert (M : forall b, NoDup (map (cons b) (tables n))).
  { intros b. apply Injective_map_NoDup; [intros x y H; now injection H|exact IH]. }
  apply NoDup_joined; auto. intros x H K. apply in_map_iff in H, K.
  destruct H as [y [<- _]], K as [z [E _]]. discriminate.
Qed.

(** ** Sums and products *)

Lemma filter_app {A} (f : A -> bool) l1 l2 : filter f (l1 ++ l2) = filter f l1 ++ filter f l2.
Proof. induction l1 as [|a l IH]; simpl; [easy|]. destruct (f a); simpl; now rewrite IH. Qed.

Lemma length_filter_map {A B} (f : B -> bool) (g : A -> B) l :
  length (filter f (map g l)) = length (filter (fun a => f (g a)) l).
Proof. induction l as [|a l IH]; simpl; [easy|]. destruct (f (g a)); simpl; now rewrite IH. Qed.

Lemma number_S property n :
  number property (S n)
  = number (fun x => property (true :: x)) n + number (fun x => property (false :: x)) n.
Proof. unfold number. simpl. now rewrite filter_app, app_length, !length_filter_map. Qed.

Lemma number_ext f g n : (forall x, length x = n -> f x = g x) -> number f n = number g n.
Proof.
  intros H. unfold number. f_equal. apply filter_ext_in. intros x I. apply H. now apply tables_complete.
Qed.

Lemma number_0 f n : (forall x, length x = n -> f x = false) -> number f n = 0.
Proof.
  intros H. rewrite (number_ext f (fun _ => false)) by auto. unfold number.
  now induction (tables n).
Qed.

Lemma product_ext K f g : (forall c, c < K -> f c = g c) -> product K f = product K g.
Proof. induction K as [|K IH]; simpl; intros H; [easy|]. rewrite H, IH; auto. Qed.

Lemma product_add K d f g h :
  d < K -> (forall c, c < K -> c <> d -> f c = g c /\ f c = h c) -> f d = g d + h d ->
  product K f = product K g + product K h.
Proof.
  induction K as [|K IH]; intros D E S; [lia|]. simpl.
  destruct (Nat.eq_dec d K) as [->|N].
  - rewrite S, (product_ext K f g), (product_ext K h g); [lia| |]; intros c L;
      destruct (E c) as [G H]; lia.
  - rewrite IH by (auto; lia). destruct (E K) as [G H]; [lia|lia|]. rewrite G at 1.
    rewrite <- H, G. lia.
Qed.

Lemma product_0 K d f : d < K -> f d = 0 -> product K f = 0.
Proof.
  induction K as [|K IH]; intros D E; [lia|]. simpl.
  destruct (Nat.eq_dec d K) as [->|N]; [now rewrite E|]. rewrite IH by (auto; lia). lia.
Qed.

Lemma product_scale K d f g a b :
  d < K -> (forall c, c < K -> c <> d -> f c = g c) -> a * f d = b * g d ->
  a * product K f = b * product K g.
Proof.
  induction K as [|K IH]; intros D E S; [lia|]. simpl.
  destruct (Nat.eq_dec d K) as [->|N].
  - rewrite (product_ext K f g) by (intros c L; apply E; lia).
    rewrite !Nat.mul_assoc, S. easy.
  - rewrite (E K) by lia.
    replace (a * (g K * product K f)) with (g K * (a * product K f)) by ring.
    rewrite IH by (auto; lia). ring.
Qed.

Lemma choose_0 n : choose n 0 = 1.
Proof. now destruct n. Qed.

Lemma choose_more n k : n < k -> choose n k = 0.
Proof.
  revert k. induction n as [|n IH]; intros [|k] H; simpl; try lia. rewrite !IH by lia. lia.
Qed.

(** n · C(n − 1, m − 1) = m · C(n, m). *)
Lemma absorption n m : S n * choose n m = S m * choose (S n) (S m).
Proof.
  revert m. induction n as [|n IH]; intros m.
  - destruct m as [|[|m]]; simpl; lia.
  - destruct m as [|m].
    + specialize (IH 0). cbn [choose] in *. rewrite choose_0 in *. lia.
    + pose proof (IH m) as A. pose proof (IH (S m)) as B.
      cbn [choose] in *. lia.
Qed.

(** ** Counting tables, person by person *)

(** Counts as a function of the cell. *)
Definition has (K : nat) (cells : list nat) (m : nat -> nat) (x : table) : bool :=
  forallb (fun c => members_of cells x c =? m c) (seq 0 K).

Definition less (m : nat -> nat) (d c : nat) : nat := if d =? c then m c - 1 else m c.

Lemma has_iff K cells m x :
  has K cells m x = true <-> forall c, c < K -> members_of cells x c = m c.
Proof.
  unfold has. rewrite forallb_forall. split; intros H c I.
  - apply Nat.eqb_eq, H, in_seq. lia.
  - apply Nat.eqb_eq, H. apply in_seq in I. lia.
Qed.

Lemma bool_ext (a b : bool) : (a = true <-> b = true) -> a = b.
Proof. destruct a, b; intros [H G]; auto; symmetry; auto. Qed.

Lemma has_true K d cells m x :
  d < K -> has K (d :: cells) m (true :: x) = negb (m d =? 0) && has K cells (less m d) x.
Proof.
  intros D. apply bool_ext. rewrite andb_true_iff, !has_iff, negb_true_iff, Nat.eqb_neq. split.
  - intros H. split.
    + specialize (H d D). cbn in H. rewrite Nat.eqb_refl in H. lia.
    + intros c L. specialize (H c L). cbn in H. unfold less. destruct (d =? c); lia.
  - intros [N H] c L. specialize (H c L). unfold less in H. cbn.
    destruct (d =? c) eqn:E; [apply Nat.eqb_eq in E; subst|]; lia.
Qed.

Lemma has_false K d cells m x : has K (d :: cells) m (false :: x) = has K cells m x.
Proof. apply bool_ext. now rewrite !has_iff. Qed.

Lemma has_ext K cells m m' x : (forall c, m c = m' c) -> has K cells m x = has K cells m' x.
Proof. intros E. apply bool_ext. rewrite !has_iff. split; intros H c L; rewrite H; auto. Qed.

Definition in_range (K : nat) (cells : list nat) : Prop := forall c, In c cells -> c < K.

Lemma number_product K cells m :
  in_range K cells ->
  number (has K cells m) (length cells) = product K (fun c => choose (people_of cells c) (m c)).
Proof.
  revert m. induction cells as [|d cells IH]; intros m R.
  - unfold number. simpl. destruct (has K [] m []) eqn:H; simpl.
    + rewrite has_iff in H. symmetry.
      enough (E : forall k, k <= K -> product k (fun c => choose (people_of [] c) (m c)) = 1) by now apply E.
      induction k as [|k I]; intros L; [easy|]. cbn [product].
      rewrite I by lia. rewrite <- (H k) by lia. easy.
    + assert (E : exists c, c < K /\ m c <> 0).
      { unfold has in H. rewrite <- not_true_iff_false, forallb_forall in H.
        destruct (List.Exists_dec (fun c => m c <> 0) (seq 0 K)) as [X|X].
        - intros c. destruct (Nat.eq_dec (m c) 0); auto.
        - apply Exists_exists in X. destruct X as [c [I N]]. apply in_seq in I. exists c. lia.
        - exfalso. apply H. intros c I. apply Nat.eqb_eq. cbn.
          destruct (Nat.eq_dec (m c) 0) as [->|N]; [easy|]. exfalso. apply X, Exists_exists.
          now exists c. }
      destruct E as [c [L N]]. rewrite (product_0 K c); [easy|easy|].
      cbn. now destruct (m c).
  - assert (D : d < K) by (apply R; now left).
    assert (R' : in_range K cells) by (intros c I; apply R; now right).
    cbn [length]. rewrite number_S.
    rewrite (number_ext _ _ _ (fun x _ => has_true K d cells m x D)).
    rewrite (number_ext _ _ _ (fun x _ => has_false K d cells m x)).
    rewrite (IH m R').
    assert (P : forall c, people_of (d :: cells) c = (if d =? c then 1 else 0) + people_of cells c).
    { intros c. unfold people_of. cbn. destruct (Nat.eq_dec d c) as [->|N].
      - now rewrite Nat.eqb_refl.
      - apply Nat.eqb_neq in N. now rewrite N. }
    destruct (m d) as [|j] eqn:M; cbn [Nat.eqb negb andb].
    + rewrite number_0 by easy. apply product_ext. intros c L. rewrite P.
      destruct (d =? c) eqn:E; [|easy]. apply Nat.eqb_eq in E. subst c. rewrite M, !choose_0. easy.
    + rewrite (number_ext _ (has K cells (less m d))) by easy.
      rewrite (IH (less m d) R'). symmetry. apply (product_add K d); [easy| |].
      * intros c L N. rewrite P. unfold less. apply not_eq_sym, Nat.eqb_neq in N. now rewrite N.
      * rewrite P. unfold less. rewrite Nat.eqb_refl, M. cbn [Nat.add choose].
        now rewrite Nat.sub_succ, Nat.sub_0_r.
Qed.

(** Everyone but person number i. *)
Fixpoint without (i : nat) (cells : list nat) : list nat :=
  match i, cells with
  | _, [] => []
  | 0, _ :: cells => cells
  | S i, d :: cells => d :: without i cells
  end.

Lemma without_length i cells : i < length cells -> S (length (without i cells)) = length cells.
Proof.
  revert i. induction cells as [|d cells IH]; intros [|i] H; simpl in *; try lia. rewrite IH; lia.
Qed.

Lemma without_in_range K i cells : in_range K cells -> in_range K (without i cells).
Proof.
  revert i. induction cells as [|d cells IH]; intros [|i] R; simpl; auto.
  - intros c I. apply R. now right.
  - intros c [<-|I]; [apply R; now left|]. apply (IH i); [|easy]. intros e J. apply R. now right.
Qed.

Lemma without_people i cells c :
  i < length cells ->
  people_of cells c = (if nth i cells 0 =? c then 1 else 0) + people_of (without i cells) c.
Proof.
  revert i. induction cells as [|d cells IH]; intros [|i] H; simpl in H; try lia; unfold people_of in *;
    cbn [nth without count_occ].
  - destruct (Nat.eq_dec d c) as [->|N]; [now rewrite Nat.eqb_refl|].
    apply Nat.eqb_neq in N. now rewrite N.
  - rewrite (IH i) by lia. destruct (Nat.eq_dec d c); lia.
Qed.

(** The tables with person i are as many as the tables of everyone else with one member less in the
    person's cell. *)
Lemma number_with K i cells m :
  in_range K cells -> i < length cells ->
  number (fun x => has K cells m x && is_member i x) (length cells)
  = if m (nth i cells 0) =? 0 then 0
    else number (has K (without i cells) (less m (nth i cells 0))) (length (without i cells)).
Proof.
  revert i m. induction cells as [|d cells IH]; intros i m R L; simpl in L; [lia|].
  assert (D : d < K) by (apply R; now left).
  assert (R' : in_range K cells) by (intros c I; apply R; now right).
  cbn [length]. rewrite number_S.
  destruct i as [|i]; cbn [nth without].
  - rewrite (number_0 (fun x => has K (d :: cells) m (false :: x) && _)).
    2:{ intros x _. cbn. now rewrite andb_false_r. }
    rewrite Nat.add_0_r.
    destruct (m d =? 0) eqn:M.
    + apply number_0. intros x _. rewrite has_true, M by easy. easy.
    + apply number_ext. intros x _. rewrite has_true, M by easy. cbn. now rewrite andb_true_r.
  - assert (L' : i < length cells) by lia. set (c := nth i cells 0) in *.
    assert (C : c < K) by (apply R'; unfold c; now apply nth_In).
    cbn [length]. rewrite number_S.
    rewrite (number_ext _ (fun x => negb (m d =? 0) && (has K cells (less m d) x && is_member i x))).
    2:{ intros x _. rewrite has_true by easy. cbn. now rewrite andb_assoc. }
    rewrite (number_ext (fun x => has K (d :: cells) m (false :: x) && _)
                        (fun x => has K cells m x && is_member i x)).
    2:{ intros x _. now rewrite has_false. }
    rewrite (number_ext _ _ _ (fun x _ => has_true K d (without i cells) (less m c) x D)).
    rewrite (number_ext _ _ _ (fun x _ => has_false K d (without i cells) (less m c) x)).
    rewrite (IH i m R' L'). fold c.
    assert (Z : forall f n, number (fun x => negb true && f x) n = 0) by (intros; now apply number_0).
    assert (O : forall f n, number (fun x => negb false && f x) n = number f n)
      by (intros; now apply number_ext).
    assert (S : number (has K (without i cells) (less (less m d) c)) (length (without i cells))
              = number (has K (without i cells) (less (less m c) d)) (length (without i cells))).
    { apply number_ext. intros x _. apply has_ext. intros e. unfold less.
      destruct (d =? e), (c =? e); lia. }
    assert (I := IH i (less m d) R' L'). fold c in I.
    assert (Dc : less m d c = if d =? c then m c - 1 else m c) by easy.
    assert (Cd : less m c d = if d =? c then m d - 1 else m d) by (unfold less; now rewrite Nat.eqb_sym).
    rewrite Dc in I. rewrite Cd. clear Dc Cd.
    destruct (m d =? 0) eqn:Md.
    + rewrite Z. destruct (m c =? 0) eqn:Mc; [easy|].
      destruct (d =? c) eqn:E.
      * apply Nat.eqb_eq in E. rewrite E in Md. congruence.
      * rewrite Md, Z. easy.
    + rewrite O, I. destruct (m c =? 0) eqn:Mc.
      * destruct (d =? c) eqn:E.
        -- apply Nat.eqb_eq in E. rewrite E in Md. congruence.
        -- now rewrite Mc.
      * destruct (d =? c) eqn:E.
        -- apply Nat.eqb_eq in E. rewrite <- E in *.
           destruct (m d - 1 =? 0) eqn:M1; [now rewrite Z|]. now rewrite O.
        -- rewrite Mc, Md, O, S. easy.
Qed.

(** ** The theorems *)

Lemma has_counts_iff K cells m x : length m = K -> has_counts K cells m x = has K cells (fun c => nth c m 0) x.
Proof.
  intros L. apply bool_ext. unfold has_counts. rewrite has_iff.
  destruct (list_eq_dec Nat.eq_dec (counts K cells x) m) as [E|E]; split; try easy.
  - intros _ c C. rewrite <- E. unfold counts.
    rewrite nth_indep with (d' := members_of cells x 0) by (now rewrite map_length, seq_length).
    rewrite map_nth, seq_nth; auto.
  - intros H. exfalso. apply E. unfold counts.
    apply nth_ext with (d := members_of cells x 0) (d' := 0); rewrite map_length, seq_length; [easy|].
    intros c C. rewrite map_nth, seq_nth by easy. now apply H.
Qed.

(** *** Cell lemma, part 1
    There are as many tables with m_c members in each cell c as the product of the C(n_c, m_c). *)
Theorem number_of_tables K cells m :
  in_range K cells -> length m = K ->
  number (has_counts K cells m) (length cells)
  = product K (fun c => choose (people_of cells c) (nth c m 0)).
Proof.
  intros R L. rewrite <- number_product by easy. apply number_ext. intros x _. now apply has_counts_iff.
Qed.

(** *** Cell lemma, part 2
    Person i of cell c is in a share m_c/n_c of these tables. *)
Theorem share_in_cell K cells m i :
  in_range K cells -> length m = K -> i < length cells ->
  let c := nth i cells 0 in
  people_of cells c * number (fun x => has_counts K cells m x && is_member i x) (length cells)
  = nth c m 0 * number (has_counts K cells m) (length cells).
Proof.
  intros R L I c. set (f := fun c => nth c m 0).
  rewrite (number_ext _ (fun x => has K cells f x && is_member i x)).
  2:{ intros x _. now rewrite has_counts_iff. }
  rewrite (number_ext (has_counts K cells m) (has K cells f)) by (intros x _; now apply has_counts_iff).
  rewrite number_with by easy. fold c.
  assert (C : c < K) by (apply R; unfold c; now apply nth_In).
  rewrite (number_product K cells f) by easy.
  change (nth c m 0) with (f c).
  destruct (f c) as [|j] eqn:M; cbn [Nat.eqb].
  - now rewrite Nat.mul_0_r.
  - rewrite number_product by now apply without_in_range.
    apply (product_scale K c); [easy| |].
    + intros d D N. rewrite (without_people i cells d I). fold c. unfold less.
      apply not_eq_sym, Nat.eqb_neq in N. now rewrite N.
    + rewrite (without_people i cells c I). fold c. unfold less. rewrite Nat.eqb_refl, M.
      rewrite Nat.sub_succ, Nat.sub_0_r. apply absorption.
Qed.

(** Two people of one cell are in the same number of these tables, if the cell is not empty. *)
Theorem people_of_a_cell_are_alike K cells m i j :
  in_range K cells -> length m = K -> i < length cells -> j < length cells ->
  nth i cells 0 = nth j cells 0 ->
  number (fun x => has_counts K cells m x && is_member i x) (length cells)
  = number (fun x => has_counts K cells m x && is_member j x) (length cells).
Proof.
  intros R L I J E.
  pose proof (share_in_cell K cells m i R L I) as A.
  pose proof (share_in_cell K cells m j R L J) as B. cbv zeta in A, B. rewrite <- E in B.
  assert (0 < people_of cells (nth i cells 0)) by (apply count_occ_In, nth_In; easy).
  nia.
Qed.

Print Assumptions number_of_tables.
Print Assumptions share_in_cell.
Print Assumptions people_of_a_cell_are_alike.

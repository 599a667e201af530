//! Measures the three disclosures of a written release, and the risk of each kind of attempt.

use super::disclosures::{
    AttackBound, AttackSection, AttemptKind, AttemptRisk, AttributeDisclosure, DisclosuresSection, Figure,
    GuessingSection, IdentityAttacker, IdentityRisk, IdentitySection, MembershipSection, SensitiveSection,
    Share, ThresholdRisk,
};
use super::presence::all_counts;
use crate::caution::{AlgorithmKnowledge, Facts, MemberFacts, at_most};
use crate::pipeline::ReadRelease;
use palmtop_core::model::{Counts, Delta, Fraction, Presence};
use palmtop_measure::risk::{
    Attack, Membership, Risk, RiskClasses, SensitiveRisk, f1_with_full_recall, relative_f1,
};
use palmtop_project::Statements;
use palmtop_verify::Findings;

/// The number of decimals of a mean over classes.
const DECIMALS: u32 = 5;

/// The usual thresholds of identity disclosure, with the greatest risk that keeps each. By convention, 11 members keep 0.09.
const THRESHOLDS: [(&str, (u64, u64)); 3] = [("0.09", (1, 11)), ("0.075", (3, 40)), ("0.05", (1, 20))];

/// The disclosures of a faithful release; `None` if the facts have no classes.
pub(super) fn disclosures(
    (read, classes): (&ReadRelease, &RiskClasses),
    findings: &Findings,
    facts: &Facts,
    stated: &Statements,
) -> Option<DisclosuresSection> {
    let members = facts.members.as_ref()?;
    let measured = Membership::of(all_counts(read, findings));
    let knows_algorithm = matches!(facts.algorithm, AlgorithmKnowledge::Exact);
    let counts = match stated.context.as_deref() {
        Some("agreement") => Figure::Mean,
        _ => Figure::Largest,
    };
    Some(DisclosuresSection {
        membership: membership(&measured, (findings.delta, findings.keeps_delta()), knows_algorithm),
        identity: identity((classes, &members.risk), counts),
        attribute: attribute(members),
        attempts: attempts(&members.risk, counts, stated),
    })
}

impl Share {
    /// An exact number.
    fn of(number: impl Into<Fraction>) -> Self {
        let number = number.into();
        Self { exact: number.to_string(), percent: at_most(number) }
    }

    /// A mean over classes, whose fraction may be long.
    fn of_mean(mean: &Fraction) -> Self {
        Self { exact: mean.decimal_up(DECIMALS), percent: at_most(mean.clone()) }
    }
}

fn membership(
    measured: &Membership,
    (delta, keeps_delta): (Delta, bool),
    knows_algorithm: bool,
) -> MembershipSection {
    let (prior, lift) = (measured.prior(), measured.lift());
    let zeros = [Fraction::from(prior), f1_with_full_recall(prior)];
    MembershipSection {
        within: keeps_delta,
        prior: Share::of(prior),
        threshold: Share::of(delta.max()),
        highest: Share::of(measured.highest),
        mean: Share::of_mean(&measured.mean),
        lift: lift.as_ref().map(ToString::to_string),
        lift_decimal: lift.as_ref().map(|lift| lift.decimal_up(2)),
        guessing: {
            let [as_many, everyone] = zeros.clone().map(Share::of);
            GuessingSection { as_many, everyone }
        },
        attack: measured.attack.as_ref().map(|attack| attack_section(attack, &zeros)),
        bound: (measured.highest <= delta.max()).then(|| bound(delta.max(), &zeros, knows_algorithm)),
    }
}

fn attack_section(attack: &Attack, zeros: &[Fraction; 2]) -> AttackSection {
    let f1 = attack.f1();
    let [f1_relative, f1_relative_everyone] = relative_to(&f1, zeros);
    AttackSection {
        classes: attack.classes,
        people: attack.called.public,
        members: attack.called.private,
        precision: Share::of(attack.precision()),
        recall: Share::of(attack.recall()),
        f1: Share::of(f1),
        f1_relative,
        f1_relative_everyone,
    }
}

fn bound(delta_max: Presence, zeros: &[Fraction; 2], knows_algorithm: bool) -> AttackBound {
    let f1 = f1_with_full_recall(delta_max);
    let [f1_relative, f1_relative_everyone] = relative_to(&f1, zeros);
    AttackBound {
        precision: Share::of(delta_max),
        f1: Share::of(f1),
        f1_relative,
        f1_relative_everyone,
        knows_algorithm,
    }
}

fn relative_to(f1: &Fraction, zeros: &[Fraction; 2]) -> [Option<Share>; 2] {
    zeros.each_ref().map(|zero| relative_f1(f1, zero).map(Share::of))
}

fn identity((classes, risk): (&RiskClasses, &Risk), counts: Figure) -> IdentitySection {
    let by_class = |attacker, count: fn(Counts) -> u64, least: u64, (exact, mean): (&Fraction, Share)| {
        let largest = Fraction::from(one_over(least));
        let figure = if counts == Figure::Mean { exact } else { &largest };
        let above = |limit| classes.members_above(limit, count);
        let thresholds = thresholds(figure, |limit| Some((above(limit), risk.members)));
        IdentityRisk { attacker, largest: Some(Share::of(largest.clone())), mean, thresholds }
    };
    let mean = || Share::of(risk.mean_risk.clone());
    let by_members = (&risk.mean_risk, mean());
    let by_people = (&risk.mean_map_risk, Share::of_mean(&risk.mean_map_risk));
    let attackers = vec![
        by_class(IdentityAttacker::Prosecutor, |counts| counts.private, risk.k, by_members),
        by_class(IdentityAttacker::Journalist, |counts| counts.public, risk.k_map, by_people),
        IdentityRisk {
            attacker: IdentityAttacker::Marketer,
            largest: None,
            mean: mean(),
            thresholds: thresholds(&risk.mean_risk, |_| None),
        },
    ];
    IdentitySection {
        released_classes: risk.released_classes,
        k: risk.k,
        k_map: risk.k_map,
        unique_members: risk.unique_members,
        unique_people: risk.unique_people,
        counts,
        attackers: if risk.members == 0 { Vec::new() } else { attackers },
    }
}

/// A figure against each threshold. `above` counts the members above a limit, and all members.
fn thresholds(figure: &Fraction, above: impl Fn(Presence) -> Option<(u64, u64)>) -> Vec<ThresholdRisk> {
    let against = |(name, (part, whole)): (&str, (u64, u64))| {
        let limit = Counts::new(whole, part).presence();
        let above = above(limit);
        ThresholdRisk {
            threshold: name.to_owned(),
            kept: *figure <= limit.into(),
            members: above.map(|(members, _)| members),
            share: above.map(|(members, all)| Share::of(Counts::new(all, members).presence())),
        }
    };
    THRESHOLDS.into_iter().map(against).collect()
}

/// 1 over a number of people; 0 without people.
fn one_over(people: u64) -> Presence {
    Counts::new(people, 1).presence()
}

fn attribute(members: &MemberFacts) -> AttributeDisclosure {
    let section = |found: &SensitiveRisk| SensitiveSection {
        attribute: found.name.clone(),
        distinct: found.distinct,
        entropy: found.entropy,
        distance: found.equal.to_f64(),
        ordered_distance: found.ordered.as_ref().map(Fraction::to_f64),
        hierarchical_distance: found.hierarchy.as_ref().map(Fraction::to_f64),
        one_value: found.one_value,
        one_value_share: Share::of(Counts::new(members.risk.members, found.one_value).presence()),
        largest_guess: Share::of(found.largest_guess),
        mean_guess: Share::of(found.mean_guess),
    };
    AttributeDisclosure {
        attributes: members.risk.sensitive.iter().map(section).collect(),
        not_measured: members.has_several_values.then(|| MemberFacts::SEVERAL_VALUES.to_owned()),
    }
}

/// The probability of each kind of attempt times the figure of the prosecutor that counts, the largest first.
fn attempts(risk: &Risk, counts: Figure, stated: &Statements) -> Vec<AttemptRisk> {
    if risk.members == 0 {
        return Vec::new();
    }
    let figure = match counts {
        Figure::Largest => one_over(risk.k).into(),
        Figure::Mean => risk.mean_risk.clone(),
    };
    let mut kinds = match (stated.context.as_deref(), &stated.attempt) {
        (Some("public"), _) => vec![(AttemptKind::Public, Presence::ONE)],
        (_, None) => vec![(AttemptKind::NotStated, Presence::ONE)],
        (_, Some(attempt)) => vec![
            (AttemptKind::Deliberate, attempt.deliberate),
            (AttemptKind::Inadvertent, attempt.inadvertent),
            (AttemptKind::Breach, attempt.breach),
        ],
    };
    kinds.sort_by_key(|(_, attempt)| std::cmp::Reverse(*attempt));
    let overall = |attempt: Presence| {
        let attempt = Fraction::from(attempt);
        Fraction::from(attempt.as_ratio() * figure.as_ratio())
    };
    let risk = |(kind, attempt): (AttemptKind, Presence)| AttemptRisk {
        kind,
        attempt: Share::of(attempt),
        risk: Share::of(figure.clone()),
        overall: Share::of(overall(attempt)),
    };
    kinds.into_iter().map(risk).collect()
}

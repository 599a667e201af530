"""What check_transcript.py computes: everyone's posterior after each possible answer, in whole numbers."""
import itertools
from collections import Counter

from tables import Wrong


class Unsafe(Exception):
    """A posterior is outside delta."""


def binomials(n, most):
    row = [1]
    for k in range(most):
        row.append(row[-1] * (n - k) // (k + 1))
    return row


def product(left, right):
    """The product of two polynomials, by exponent."""
    sums = Counter()
    for (i, a), (j, b) in itertools.product(left.items(), right.items()):
        sums[i + j] += a * b
    return sums


class Replay:
    """The regions with their people and members.

    A cell has people whom no answer distinguishes. A cluster has cells, each with its region, and
    states: the possible numbers of members in each cell. A state stands for the product of the
    C(people, members) of its cells, the number of its tables (proof/States.v, weight_of_states).
    """

    def __init__(self, public, private, members, delta):
        self.public, self.private, self.delta, self.next, self.checked = public, private, delta, 1, 0
        self.members, self.people, self.in_t, self.cluster, self.parted = {}, {}, {}, {}, {}
        self.judge({0: members}, {0: public.people}, 1, "before the first question")
        self.add(0, members, (1 << public.people) - 1, (1 << members) - 1)

    def add(self, region, members, people, in_t):
        self.members[region], self.people[region], self.in_t[region] = members, people, in_t
        self.cluster[region] = ([(region, people)], lambda: [(members,)])

    def judge(self, moments, people, weight, event):
        """Each posterior, moment/(weight · people), must be within delta."""
        low, high = self.delta
        for part, moment in moments.items():
            self.checked += 1
            total = weight * people[part]
            if not (low.numerator * total <= moment * low.denominator
                    and moment * high.denominator <= high.numerator * total):
                raise Unsafe(f"{event}: {people[part]} people have the posterior {moment / total:.6g}")

    def ask(self, region, question, accepted, answer):
        """A question for the number of members in the left half of a region."""
        if region not in self.cluster or region in self.parted:
            raise Wrong("this region does not exist, or is divided already")
        (cells, states_of), left = self.cluster[region], self.public.left(question) & self.people[region]
        if left in (0, self.people[region]):
            raise Wrong("the cut does not divide the region")
        in_left = self.private.left(question) & self.in_t[region] if self.private else 0
        truth = in_left.bit_count()
        if self.private and answer != (truth if truth in accepted else None):
            raise Wrong(f"the answer is wrong: T has {truth} members there")
        # The halves of each cell that have people: (cell, 0) on the left, (cell, 1) on the right.
        halves = {(cell, half): n for cell, (_, part) in enumerate(cells)
                  for half, n in enumerate(((part & left).bit_count(), (part & ~left).bit_count())) if n}
        states = list(states_of())
        weights, moments = self.outcomes(states, halves)
        possible = {k for k, weight in weights.items() if weight}
        if not possible.issuperset(accepted):
            raise Wrong("it accepts a number that is impossible")
        failed = possible.difference(accepted)
        if answer is None and not failed:
            raise Wrong("it cannot fail: each possible number is accepted")
        for event in [[k] for k in accepted] + [sorted(failed)] * bool(failed):
            self.judge({part: sum(known[k] for k in event) for part, known in moments.items()}, halves,
                       sum(weights[k] for k in event), f"answer {event[0] if event != sorted(failed) else 'failed'}")
        owners = (region, region)
        if answer is not None:
            owners = (self.next, self.next + 1)
            self.next += 2
            members, people, in_t = (known.pop(region) for known in (self.members, self.people, self.in_t))
            del self.cluster[region]
            self.add(owners[0], answer, left, in_left)
            self.add(owners[1], members - answer, people & ~left, in_t & ~in_left)
        self.divide(region, owners, cells, left, states, halves, failed if answer is None else {answer})

    def outcomes(self, states, halves):
        """For each number of members on the left: the tables, and the sum of each half's members."""
        left_of, right_of = ([halves.get((cell, half), 0) for cell in range(len(states[0]))] for half in (0, 1))
        most = max(map(max, states))
        row = {n: binomials(n, most) for n in {*left_of, *right_of}}
        weights, moments = Counter(), {half: Counter() for half in halves}
        for state in states:
            # Polynomials: the coefficient of k is for k members on the left.
            joint, sums = {0: 1}, []
            for x, l, r in zip(state, left_of, right_of):
                ways = {k: row[l][k] * row[r][x - k] for k in range(max(0, x - r), min(x, l) + 1)}
                sums = [product(known, ways) for known in sums]
                sums.append(product(joint, {k: k * way for k, way in ways.items()}))
                joint = product(joint, ways)
            weights.update(joint)
            for cell, half in halves:
                members = {k: state[cell] * joint[k] - x if half else x for k, x in sums[cell].items()}
                moments[cell, half].update(members)
        return weights, moments

    def divide(self, region, owners, cells, left, states, halves, event):
        """The cells and states after an answer. The states are computed when a question needs them."""
        new = [(owners[half] if cells[cell][0] == region else cells[cell][0],
                cells[cell][1] & (~left if half else left)) for cell, half in halves]
        count = Counter(owner for owner, _ in new)
        # A region with one cell, or without members, is independent of all others.
        kept = [index for index, (owner, _) in enumerate(new) if count[owner] > 1 and self.members[owner]]

        def divided():
            for state in states:
                choices = [range(max(0, x - halves.get((cell, 1), 0)), min(x, halves.get((cell, 0), 0)) + 1)
                           for cell, x in enumerate(state)]
                for choice in itertools.product(*choices):
                    if sum(choice) in event:
                        after = [state[cell] - choice[cell] if half else choice[cell] for cell, half in halves]
                        yield tuple(after[index] for index in kept)

        known = []
        for owner in {new[index][0] for index in kept}:
            self.cluster[owner] = ([new[index] for index in kept],
                                   lambda: known or known.extend(dict.fromkeys(divided())) or known)

    def ask_part(self, region, part, accepted, answer, classes):
        """A region with one member has parts. Each must be so large that it may have the member."""
        if self.members.get(region) != 1 or len(self.cluster[region][0]) != 1:
            raise Wrong("only a region with one member and one cell has parts")
        if accepted != [0, 1] or answer is None:
            raise Wrong("a question about a part accepts 0-1 and cannot fail")
        if classes is None:
            raise Wrong("the transcript does not say who is in a part: give --classes")
        sizes = {index: people.bit_count() for index, (people, _) in
                 enumerate(known for known in classes if known[0] & self.people[region])}
        if sum(people for people, _ in classes if people & self.people[region]) != self.people[region]:
            raise Wrong("the classes do not divide this region into parts")
        asked, found, _ = self.parted.get(region, (0, 0, 0))
        if part != asked or found or part > len(sizes) - 2:
            raise Wrong("this is not the next part to ask about")
        for index in sizes:
            self.judge({other: int(other == index) for other in sizes}, sizes, 1, "the member is in a part")
        self.parted[region] = (asked + 1, answer, len(sizes))

    def end(self, classes):
        """No part may be missing. If the classes are given, they must be the last regions."""
        for region, (asked, found, parts) in self.parted.items():
            if not found and asked < parts - 1:
                raise Wrong(f"region {region}: a question about its parts is missing")
        for region, people in self.people.items() if classes else ():
            inside = [known for known in classes if known[0] & people]
            if sum(known[1] for known in inside) != self.members[region] or (
                    region not in self.parted and inside != [(people, self.members[region])]):
                raise Wrong(f"the classes do not have region {region} with its {self.members[region]} members")

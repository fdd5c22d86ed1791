package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TermTest {
    private static final int ROUNDS = 5;

    private final Random random = new Random(1);
    private final One a = new One(3);
    private final One b = new One(3);
    private final One c = new One(3);
    private long nanos;

    private final class One {
        private final UUID name = new UUID(random.nextLong(), random.nextLong());
        private final Term term;

        private One(int size) {
            term = new Term(size, new MajorityCheck(size), random);
        }

        private void observes(One... members) {
            term.observe(name, Stream.of(members).map(one -> one.name).toList());
        }

        private void requests(One other) {
            long sent = ++nanos;
            var answer = other.term.answer(name, term.stay().id(), ++nanos);
            term.answered(other.name, term.stay().id(), answer, sent, ++nanos);
        }
    }

    /** Lets them send each other probes until nothing changes any more. */
    private static void session(One... members) {
        for (int round = 0; round < ROUNDS; round++) {
            for (var one : members) {
                Stream.of(members).filter(other -> other != one).forEach(one::requests);
            }
        }
    }

    private static void joined(One... members) {
        Stream.of(members).forEach(one -> one.observes(members));
    }

    private void allTakePart() {
        joined(a, b, c);
        session(a, b, c);
    }

    @Test
    void membersOfOneListBeginATermTogether() {
        allTakePart();

        assertThat(a.term.current()).isPresent();
        assertThat(List.of(b, c))
                .allSatisfy(one -> assertThat(one.term.current()).isEqualTo(a.term.current()));
        assertThat(List.of(a, b, c)).allMatch(one -> one.term.isSettled());
    }

    @Test
    void whatReachesANewcomerBeforeItsFirstListCounts() {
        joined(a, b);
        session(a, b);
        var before = c.term.stay();

        joined(a, b, c);
        session(a, b, c);

        assertThat(c.term.current()).isPresent().isEqualTo(a.term.current());
        assertThat(before.isOver()).isFalse();
        c.term.observe(new UUID(1, 1), List.of(a.name, b.name, new UUID(1, 1)));
        assertThat(before.isOver()).as("it has another id").isTrue();
    }

    @Test
    void aMemberThatIsAloneTakesPartInNone() {
        joined(a);

        assertThat(a.term.current()).isEmpty();
    }

    @Test
    void aLedgerOfOneNeedsNoOtherMember() {
        var only = new One(1);
        joined(only);

        assertThat(only.term.current()).isPresent();
    }

    @Test
    void twoOfThreeKeepTheirTermAndAdmitAProcessThatStartsAnew() {
        allTakePart();
        var before = b.term.current();
        var stay = b.term.stay();
        joined(b, c);
        var anew = new One(3);
        joined(b, c, anew);
        session(b, c, anew);

        assertThat(List.of(b, c, anew))
                .allSatisfy(one -> assertThat(one.term.current()).isEqualTo(before));
        assertThat(stay.isOver()).isFalse();
    }

    @Test
    void aMemberWithoutAMajorityLeavesItsTermForEver() {
        allTakePart();
        var stay = a.term.stay();

        a.observes(a);

        assertThat(a.term.current()).isEmpty();
        assertThat(stay.isOver()).isTrue();
    }

    @Test
    void aDroppedMemberDetectsItByTheRepliesOfMembersStillInItsView() {
        allTakePart();
        joined(b, c);

        a.requests(b);
        assertThat(a.term.current()).as("the other member may have kept it").isPresent();
        a.requests(c);
        assertThat(a.term.current()).isEmpty();
    }

    @Test
    void aMemberDroppedUnawaresAdmitsNoProcessThatStartsAnewOnItsSide() {
        allTakePart();
        joined(b, c);
        var anew = new One(3);
        a.observes(a, b, anew);
        anew.observes(a, b, anew);

        session(a, anew);

        assertThat(anew.term.current()).isEmpty();
        assertThat(a.term.confirms(anew.name)).isFalse();
    }

    @Test
    void membersThatBeginAnewDoSoInAnotherTerm() {
        allTakePart();
        var before = a.term.current();
        a.observes(a);
        var anew = new One(3);
        joined(a, anew);
        session(a, anew);

        assertThat(a.term.current()).isPresent().isNotEqualTo(before);
        assertThat(anew.term.current()).isEqualTo(a.term.current());
    }

    @Test
    void aMemberThatIsAnotherAfterAMergeHasLeftItsTerm() {
        allTakePart();
        var stay = c.term.stay();
        var merged = new UUID(5, 5);

        c.term.observe(merged, List.of(a.name, b.name, merged));

        assertThat(c.term.current()).isEmpty();
        assertThat(stay.isOver()).isTrue();
    }

    @Test
    void aTicketThatIsAnotherOneCountsAsNone() {
        allTakePart();
        b.observes(b, c);
        b.observes(a, b, c);
        c.observes(b, c);
        c.observes(a, b, c);

        a.requests(b);
        a.requests(c);

        assertThat(a.term.current())
                .as("both had dropped this member meanwhile")
                .isEmpty();
    }

    @Test
    void anAnswerThatWasOvertakenChangesNothing() {
        joined(a, b, c);
        var old = b.term.answer(a.name, a.term.stay().id(), 0);
        session(a, b, c);

        a.term.answered(b.name, a.term.stay().id(), old, -1, ++nanos);

        assertThat(a.term.confirms(b.name)).isTrue();
    }

    @Test
    void copiesAreTakenFromMembersOfTheSameTermAlone() {
        allTakePart();
        var term = a.term.current().orElseThrow();

        assertThat(b.term.accepts(a.name, term)).isTrue();
        assertThat(b.term.accepts(a.name, new UUID(1, 1))).isFalse();
        b.observes(b, c);
        assertThat(b.term.accepts(a.name, term)).isFalse();
    }

    @Test
    void moreThanThereAreToBeAdmitNone() {
        allTakePart();
        var fourth = new One(3);
        joined(a, b, c, fourth);
        session(a, b, c, fourth);

        assertThat(fourth.term.current()).isEmpty();
        assertThat(a.term.current()).isPresent();
    }
}

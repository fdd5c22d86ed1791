package io.sluice.ledger.core.histories;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.nearest.NearestGrantSearch;
import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.GrantChange.Kind;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.ledger.grant.NearestGrant.Sufficiency;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever a ledger denies, the changes that {@code NearestGrantSearch} names would have it granted, and no
 * smaller ones.
 *
 * <p>Method: requests on the states of random histories, until 20 000 were denied and had a change that helps (100 000
 * by {@code -Dnearest.grant.denials}, which the CI plays). {@link GrantProof} applies each change, and each that is
 * smaller by one step, and sends the request.
 */
class NearestGrantHistoriesTest {
    private static final int DENIALS = Integer.getInteger("nearest.grant.denials", 20_000);
    private static final int DENIALS_OF_A_SEED = 500;
    private static final int REQUESTS_MAX = 20_000;
    private static final int EACH_KIND = 10;

    /** What the replies to one seed's requests had. */
    private record Found(
            int denials, Map<Kind, Integer> kinds, Map<Sufficiency, Integer> sufficiencies, List<String> wrong) {}

    @Test
    void namesWhatIsEnoughAndNoMore() {
        var all = LongStream.rangeClosed(1, DENIALS / DENIALS_OF_A_SEED)
                .parallel()
                .mapToObj(seed -> play(seed, UnaryOperator.identity()))
                .toList();

        assertThat(all).flatExtracting(Found::wrong).isEmpty();
        assertThat(all).allSatisfy(found -> assertThat(found.denials()).isEqualTo(DENIALS_OF_A_SEED));
        assertThat(EnumSet.complementOf(EnumSet.of(Kind.TAINT_TOLERATED, Kind.UNCORDONED, Kind.NODE_ALLOWED)))
                .as("what ledgers decide")
                .allSatisfy(kind -> assertThat(
                                sum(all.stream().map(Found::kinds).toList(), kind))
                        .as(kind.name())
                        .isGreaterThanOrEqualTo(EACH_KIND));
        assertThat(Sufficiency.values())
                .allSatisfy(sufficiency -> assertThat(
                                sum(all.stream().map(Found::sufficiencies).toList(), sufficiency))
                        .as(sufficiency.name())
                        .isGreaterThanOrEqualTo(EACH_KIND));
    }

    @Test
    void objectsToARoomThatIsOneTooSmall() {
        assertThat(play(1, changing(Kind.ROOM, -1)).wrong())
                .isNotEmpty()
                .allMatch(wrong -> wrong.contains("it does not help"));
    }

    @Test
    void objectsToARoomThatIsOneTooLarge() {
        assertThat(play(1, changing(Kind.ROOM, 1)).wrong()).isNotEmpty().allMatch(wrong -> wrong.contains("is enough"));
    }

    @Test
    void objectsToAnotherPodThanTheOneThatHelps() {
        assertThat(play(
                                1,
                                found -> new NearestGrant(
                                        found.sufficiency(),
                                        found.changes().stream()
                                                .map(change -> new GrantChange(
                                                        change.kind(),
                                                        change.node(),
                                                        change.room(),
                                                        change.fixed(),
                                                        change.pod().isEmpty() ? "" : "another",
                                                        change.subject()))
                                                .toList()))
                        .wrong())
                .isNotEmpty()
                .allMatch(wrong -> wrong.contains("it does not help"));
    }

    /** A wrong reply: other room in the first kind that has some. */
    private static UnaryOperator<NearestGrant> changing(Kind kind, long by) {
        return found -> new NearestGrant(
                found.sufficiency(),
                found.changes().stream()
                        .map(change -> change.kind() == kind && found.sufficiency() == Sufficiency.ANY
                                ? with(change, by)
                                : change)
                        .toList());
    }

    private static GrantChange with(GrantChange change, long by) {
        var room = change.room();
        var other = room.milliCpu() > 0
                ? new Resources(room.milliCpu() + by, room.memoryBytes())
                : new Resources(0, Math.max(0, room.memoryBytes() + by));
        return room.equals(Resources.NONE)
                ? change
                : GrantChange.more(change.kind(), change.node(), other, change.fixed());
    }

    private static <K> int sum(List<Map<K, Integer>> all, K key) {
        return all.stream().mapToInt(counts -> counts.getOrDefault(key, 0)).sum();
    }

    private static Found play(long seed, UnaryOperator<NearestGrant> planted) {
        var history = new RandomHistory(seed);
        var found = new Found(0, new EnumMap<>(Kind.class), new EnumMap<>(Sufficiency.class), new ArrayList<>());
        int denials = 0;
        for (int request = 0; request < REQUESTS_MAX && denials < DENIALS_OF_A_SEED; request++) {
            history.apply(history.outcome(history.next()));
            history.apply(history.outcome(new LedgerCommand.Tick()));
            var query = history.query();
            var state = history.nearlyFull();
            var nearest = planted.apply(NearestGrantSearch.find(state, history.rules(), query));
            var proof = new GrantProof(state, history.rules(), history.now(), query);
            int at = request;
            proof.objections(nearest)
                    .forEach(wrong ->
                            found.wrong().add("seed %d request %d: %s, of %s".formatted(seed, at, wrong, query)));
            found.sufficiencies().merge(nearest.sufficiency(), 1, Integer::sum);
            nearest.changes().forEach(change -> found.kinds().merge(change.kind(), 1, Integer::sum));
            denials += nearest.changes().isEmpty() ? 0 : 1;
        }
        return new Found(denials, found.kinds(), found.sufficiencies(), found.wrong());
    }
}

package io.sluice.shell.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.GrantChange.Kind;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.ledger.grant.NearestGrant.Sufficiency;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GrantTextTest {
    private static final GrantChange ROOM = GrantChange.more(
            Kind.ROOM, "node-a", new Resources(500, (1L << 30) - 3), FixedAmounts.of(Map.of("nvidia.com/gpu", 1L)));
    private static final GrantChange MOVED =
            new GrantChange(Kind.VM_MOVED, "node-a", new Resources(500, 0), FixedAmounts.NONE, "u", "default/x");

    @Test
    void namesWhatIsEnoughAlone() {
        assertThat(GrantText.sentence(new NearestGrant(Sufficiency.ANY, List.of(ROOM, MOVED))))
                .isEqualTo("it would be granted with 500m CPU and 1Gi memory and 1 nvidia.com/gpu more on node-a,"
                        + " or with VM default/x moved away from node-a");
    }

    @Test
    void namesWhatIsNeededTogether() {
        var maximum = GrantChange.more(Kind.MAXIMUM, "node-a", new Resources(1000, 0), FixedAmounts.NONE);

        assertThat(GrantText.sentence(new NearestGrant(Sufficiency.ALL, List.of(MOVED, maximum))))
                .isEqualTo("it would be granted with all of these: VM default/x moved away from node-a, and"
                        + " a maximum of the VM that is higher by 1000m CPU");
    }

    @Test
    void countsWhatItDoesNotName() {
        assertThat(GrantText.sentence(new NearestGrant(Sufficiency.ANY, Collections.nCopies(6, MOVED))))
                .endsWith(", and 2 more like that");
    }

    @Test
    void hasNoSentenceWhereNothingIsKnown() {
        assertThat(GrantText.sentence(NearestGrant.UNKNOWN)).isEmpty();
        assertThat(GrantText.target(new NearestGrant(Sufficiency.GRANTED, List.of())))
                .isEmpty();
        assertThat(GrantText.sentence(new NearestGrant(Sufficiency.GRANTED, List.of())))
                .isEqualTo("it would be granted now");
    }

    @Test
    void hasWordsOfItsOwnForEachKind() {
        var texts = Stream.of(Kind.values())
                .map(kind -> GrantText.change(
                        new GrantChange(kind, "node-a", new Resources(500, 0), FixedAmounts.NONE, "u", "default/x")))
                .toList();

        assertThat(texts).doesNotHaveDuplicates().noneMatch(String::isBlank);
    }
}

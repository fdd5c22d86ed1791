package io.sluice.neonvm.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterVisibilityTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration STEADY = Duration.ofSeconds(30);
    private static final Optional<String> ALL = Optional.empty();
    private static final Optional<String> NO_PODS = Optional.of("pods");

    private static Instant at(long second) {
        return START.plusSeconds(second);
    }

    /**
     * One check at each of some seconds: {@code +} if everything is seen and {@code -} if not; W, P or B is the state.
     */
    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource({
        "1 59 60,        ---,    PPB, has never seen anything",
        "1,              +,      W,   sees all at once",
        "1 2 61 62,      +---,   WPPB, loses it: counted from the first look that missed something",
        "1 2 61 62 121,  +--+-,  WPPWP, saw all in between",
        "60 61 90 91,    -+++,   BBBW, sees all again and stays off until that lasts",
        "60 61 90 91 120 121, -+-+++, BBBBBW, loses it again before that: it counts anew",
        "60 300,         -+,     BB,  sees nothing for however long",
    })
    void standsBySecond(String seconds, String looks, String stands, String story) {
        var visibility = ClusterVisibility.started(START);
        var stood = new StringBuilder();
        var each = seconds.split(" ");
        for (int i = 0; i < each.length; i++) {
            visibility = visibility.looked(looks.charAt(i) == '+' ? ALL : NO_PODS, STEADY, at(Long.parseLong(each[i])));
            stood.append(visibility.getClass().getSimpleName().charAt(0));
        }
        assertThat(stood).hasToString(stands);
    }

    @Test
    void reportsWhatItMissesNowAndAtLast() {
        var blind = ClusterVisibility.started(START)
                .looked(NO_PODS, STEADY, at(1))
                .looked(Optional.of("VMs"), STEADY, at(60))
                .looked(ALL, STEADY, at(61));

        assertThat(blind).isEqualTo(new ClusterVisibility.Blind("VMs", Optional.of(at(61)), STEADY));
    }

    @Test
    void processesWithAViewMayLeadAndAllIfNoneHasOne() {
        var peers = new PeersWithoutView();
        var all = List.of("a", "b", "c");
        var may = new ArrayList<List<String>>();
        may.add(peers.mayLead(all, at(0)));
        peers.reported("a", at(0));
        may.add(peers.mayLead(all, at(4)));
        may.add(peers.mayLead(all, at(5)));
        all.forEach(id -> peers.reported(id, at(6)));
        may.add(peers.mayLead(all, at(6)));
        peers.views("b");
        may.add(peers.mayLead(all, at(6)));

        assertThat(may).containsExactly(all, List.of("b", "c"), all, all, List.of("b"));
    }

    @Test
    void aProcessThatLeftIsForgotten() {
        var peers = new PeersWithoutView();
        peers.reported("a", at(0));

        peers.mayLead(Set.of("b"), at(1));

        assertThat(peers.mayLead(List.of("a", "b"), at(2))).containsExactly("a", "b");
    }
}

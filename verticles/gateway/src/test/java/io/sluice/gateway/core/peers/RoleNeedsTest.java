package io.sluice.gateway.core.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoleNeedsTest {
    @ParameterizedTest
    @CsvSource({
        "agent, true, 3",
        "agent, false, 2",
        "cluster, true, 1",
        "cluster, false, 0",
        "gateway, true, 1",
        "gateway, false, 0",
        "pressure, true, 2",
        "ledger, true, 0",
        "monitor, true, 0",
        "vm, true, 0"
    })
    void aRoleNeedsTheRolesThatItRequestsFrom(String role, boolean ledgerOnBus, int missing) {
        assertThat(new PeerWatch(Set.of(role), RoleNeeds.of(ledgerOnBus)).missing(Instant.EPOCH))
                .hasSize(missing);
    }

    @Test
    void aProcessWithEveryRoleNeedsNoOther() {
        var all = Set.of("ledger", "pressure", "agent", "monitor", "cluster", "vm", "gateway");

        assertThat(new PeerWatch(all, RoleNeeds.of(true)).missing(Instant.EPOCH))
                .isEmpty();
    }
}

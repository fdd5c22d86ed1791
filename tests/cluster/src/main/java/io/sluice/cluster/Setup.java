package io.sluice.cluster;

import io.sluice.launcher.core.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which processes a cluster is made of. */
enum Setup {
    /** Three that keep books, each with a gateway. */
    THREE(3, false, WallClock.RIGHT),
    /** Five of them. */
    FIVE(5, false, WallClock.RIGHT),
    /** Three, and two of each role that keeps none. */
    EXTRAS(3, true, WallClock.RIGHT),
    /** Three, the second of which has a wall clock that is ten seconds ahead. */
    AHEAD(3, false, WallClock.AHEAD),
    /** Three, the second of which has a wall clock that can jump. */
    JUMPY(3, false, WallClock.JUMPY);

    /** Whose wall clock is wrong where one is. */
    static final int WRONG_CLOCK = 2;

    private static final List<Role> EXTRA_ROLES =
            List.of(Role.GATEWAY, Role.GATEWAY, Role.AGENT, Role.AGENT, Role.PRESSURE, Role.PRESSURE);

    private final int ledgers;
    private final boolean extras;
    private final WallClock clock;

    Setup(int ledgers, boolean extras, WallClock clock) {
        this.ledgers = ledgers;
        this.extras = extras;
        this.clock = clock;
    }

    /** Whether VMs may be moved: a process with the role pressure would begin to, and nobody carries that out. */
    boolean migrates() {
        return !extras;
    }

    int ledgers() {
        return ledgers;
    }

    /** All processes, the first of which has number 1. */
    List<MemberSpec> members() {
        var specs = new ArrayList<MemberSpec>();
        for (int number = 1; number <= ledgers; number++) {
            specs.add(MemberSpec.whole(ledgers).by(number == WRONG_CLOCK ? clock : WallClock.RIGHT));
        }
        if (extras) {
            EXTRA_ROLES.forEach(role -> specs.add(MemberSpec.only(role, ledgers)));
        }
        return specs;
    }

    /** Why it cannot be had on this machine; empty where it can. */
    Optional<String> unavailable() {
        return clock == WallClock.RIGHT ? Optional.empty() : WallClock.unavailable();
    }
}

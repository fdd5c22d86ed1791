package io.sluice.cluster.process;

import io.sluice.launcher.core.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The processes of a cluster. */
public enum Setup {
    /** Three ledger processes, each with a gateway. */
    THREE(3, false, WallClock.RIGHT),
    /** Five ledger processes, each with a gateway. */
    FIVE(5, false, WallClock.RIGHT),
    /** Three ledger processes, and two of each of some roles without the role ledger. */
    EXTRAS(3, true, WallClock.RIGHT),
    /** Three ledger processes; the wall clock of the second is ten seconds ahead. */
    AHEAD(3, false, WallClock.AHEAD),
    /** Three ledger processes; the wall clock of the second can jump. */
    JUMPY(3, false, WallClock.JUMPY);

    /** The number of the process with the wrong wall clock. */
    public static final int WRONG_CLOCK = 2;

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

    /**
     * Whether VMs may be migrated: a process with the role pressure would request migrations, and no process carries
     * them out here.
     */
    public boolean migrates() {
        return !extras;
    }

    public int ledgers() {
        return ledgers;
    }

    /** All processes, starting with number 1. */
    public List<MemberSpec> members() {
        var specs = new ArrayList<MemberSpec>();
        for (int number = 1; number <= ledgers; number++) {
            specs.add(MemberSpec.whole(ledgers).by(number == WRONG_CLOCK ? clock : WallClock.RIGHT));
        }
        if (extras) {
            EXTRA_ROLES.forEach(role -> specs.add(MemberSpec.only(role, ledgers)));
        }
        return specs;
    }

    /** Why it is not possible on this machine; empty if it is. */
    public Optional<String> unavailable() {
        return clock == WallClock.RIGHT ? Optional.empty() : WallClock.unavailable();
    }
}

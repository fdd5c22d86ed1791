package io.sluice.cluster;

import java.nio.file.Path;
import java.util.List;

/** One process of the setup. */
final class MemberProcess extends SluiceProcess {
    private final MemberSpec spec;

    /** Prepares a process without starting it. */
    MemberProcess(Place place, MemberSpec spec, List<Place> ledgersAt, Path distribution, Path folder) {
        super(
                place,
                tokenFile -> spec.yaml(place, ledgersAt, tokenFile),
                () -> spec.clock().environment(of(folder, place)),
                distribution,
                folder);
        this.spec = spec;
    }

    MemberSpec spec() {
        return spec;
    }

    /**
     * Whether it is ready, except for roles that no process has here: the observer replaces the informers, and there is
     * no patcher.
     */
    boolean isReadyButForPeers() {
        return isAlive() && hasJoined() && readiness().lines().skip(1).allMatch(line -> line.startsWith("peers:"));
    }
}

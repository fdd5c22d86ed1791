package io.sluice.cluster;

import java.nio.file.Path;
import java.util.List;

/** One process of the cluster. */
final class MemberProcess extends SluiceProcess {
    private final MemberSpec spec;

    /** One that does not run yet. */
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
     * It is ready, but for roles that no process has here: the observer stands in for informers, and nobody patches.
     */
    boolean isReadyButForPeers() {
        return isAlive() && hasJoined() && readiness().lines().skip(1).allMatch(line -> line.startsWith("peers:"));
    }
}

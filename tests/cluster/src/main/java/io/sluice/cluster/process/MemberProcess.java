package io.sluice.cluster.process;

import java.nio.file.Path;
import java.util.List;

/** One process of the setup. */
public final class MemberProcess extends SluiceProcess {
    private final MemberSpec spec;

    /** Prepares a process without starting it. */
    public MemberProcess(Place place, MemberSpec spec, List<Place> ledgersAt, Path distribution, Path folder) {
        super(
                place,
                tokenFile -> spec.yaml(place, ledgersAt, tokenFile),
                () -> spec.clock().environment(of(folder, place)),
                distribution,
                folder);
        this.spec = spec;
    }

    public MemberSpec spec() {
        return spec;
    }

    /**
     * Whether it is ready, except for roles that no process has here: the observer replaces the informers, and there is
     * no patcher.
     */
    public boolean isReadyButForPeers() {
        return isAlive() && hasJoined() && readiness().lines().skip(1).allMatch(line -> line.startsWith("peers:"));
    }
}

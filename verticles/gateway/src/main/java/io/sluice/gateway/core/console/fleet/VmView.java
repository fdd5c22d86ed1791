package io.sluice.gateway.core.console.fleet;

import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/**
 * A VM as an overview shows it.
 *
 * @param key {@code namespace/name}
 * @param uid of the VM
 * @param driver what applies a size to it, such as {@code pod}
 * @param node where it runs; empty while it runs nowhere
 * @param phase its lifecycle phase
 * @param autoscaled whether an agent should scale it
 * @param migratable whether it may be moved
 * @param size the size that was set
 * @param shown the size that its status shows
 * @param goal what its load needs
 * @param permit the last permit of the ledger
 * @param max its maximum
 * @param waiting what keeps it from its goal; {@link Waiting#NOTHING} also if no runner has reported
 * @param waitingSince since when
 * @param reason in words, cut if it is long
 */
public record VmView(
        String key,
        String uid,
        String driver,
        String node,
        VmPhase phase,
        boolean autoscaled,
        boolean migratable,
        Resources size,
        Optional<Resources> shown,
        Optional<Resources> goal,
        Optional<Resources> permit,
        Resources max,
        Waiting waiting,
        Instant waitingSince,
        String reason) {}

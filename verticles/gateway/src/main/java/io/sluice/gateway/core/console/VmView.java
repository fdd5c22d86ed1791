package io.sluice.gateway.core.console;

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
 * @param node where it runs; empty while it runs nowhere
 * @param phase where it is in its life
 * @param autoscaled whether an agent should scale it
 * @param migratable whether it may be moved
 * @param size what it was told to be
 * @param shown what it was last seen to be
 * @param goal what its load asks for
 * @param permit what the ledger last booked for it
 * @param max it is never scaled above this
 * @param waiting what keeps it from its goal; {@link Waiting#NOTHING} also where no runner was heard of
 * @param waitingSince since when
 * @param reason in words, cut where it is long
 */
public record VmView(
        String key,
        String uid,
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

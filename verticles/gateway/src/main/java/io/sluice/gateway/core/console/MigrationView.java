package io.sluice.gateway.core.console;

import io.sluice.messages.cluster.MigrationPhase;
import java.time.Instant;

/**
 * A VM on its way, as an overview shows it.
 *
 * @param name of the migration's object, in the VM's namespace
 * @param vm which VM, as {@code namespace/name}
 * @param phase how far it is
 * @param from the node that it leaves; empty where that is not known
 * @param to the node that it goes to, or that has room for it; empty where neither is known
 * @param since when the object was made
 * @param ours whether it was begun by Sluice or a scheduler like it
 */
public record MigrationView(
        String name, String vm, MigrationPhase phase, String from, String to, Instant since, boolean ours) {}

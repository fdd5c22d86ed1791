package io.sluice.neonvm.core;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationSeen;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmSeen;

/** Something to tell the others about the cluster. */
public sealed interface Fact {
    /** A node is there. */
    record NodeCame(NodeSeen seen) implements Fact {}

    /** A node is not there any more. */
    record NodeWent(NodeGone gone) implements Fact {}

    /** A pod takes room. */
    record PodCame(PodSeen seen) implements Fact {}

    /** A pod takes no room any more. */
    record PodWent(PodGone gone) implements Fact {}

    /** A VM is there. */
    record VmCame(VmSeen seen) implements Fact {}

    /** A VM is not there any more. */
    record VmWent(VmGone gone) implements Fact {}

    /** A migration is there. */
    record MigrationCame(MigrationSeen seen) implements Fact {}

    /** A migration is not there any more. */
    record MigrationWent(MigrationGone gone) implements Fact {}
}

package io.sluice.neonvm.core;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;

/** Something to tell the others about the cluster. */
public sealed interface Observation {
    /** A node is there. */
    record NodeCame(NodeObserved seen) implements Observation {}

    /** A node is not there any more. */
    record NodeWent(NodeGone gone) implements Observation {}

    /** A pod takes room. */
    record PodCame(PodObserved seen) implements Observation {}

    /** A pod takes no room any more. */
    record PodWent(PodGone gone) implements Observation {}

    /** A VM is there. */
    record VmCame(VmObserved seen) implements Observation {}

    /** A VM is not there any more. */
    record VmWent(VmGone gone) implements Observation {}

    /** A migration is there. */
    record MigrationCame(MigrationObserved seen) implements Observation {}

    /** A migration is not there any more. */
    record MigrationWent(MigrationGone gone) implements Observation {}
}

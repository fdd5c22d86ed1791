package io.sluice.neonvm.core.observed;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;

/** A change of the Kubernetes cluster that is to be published. */
public sealed interface Observation {
    /** A node exists. */
    record NodeCame(NodeObserved observed) implements Observation {}

    /** A node does not exist any more. */
    record NodeWent(NodeGone gone) implements Observation {}

    /** A pod takes room. */
    record PodCame(PodObserved observed) implements Observation {}

    /** A pod waits for a node. */
    record PodWaits(PodObserved observed) implements Observation {}

    /** A pod takes no room any more, or waits no more. */
    record PodWent(PodGone gone) implements Observation {}

    /** A VM exists. */
    record VmCame(VmObserved observed) implements Observation {}

    /** A VM does not exist any more. */
    record VmWent(VmGone gone) implements Observation {}

    /** A migration exists. */
    record MigrationCame(MigrationObserved observed) implements Observation {}

    /** A migration does not exist any more. */
    record MigrationWent(MigrationGone gone) implements Observation {}
}

package io.sluice.simulation.exhaustive;

import io.sluice.messages.cluster.VmObserved;

/** An input of the runner of a VM. */
sealed interface RunnerInput {
    /** A runner starts in place of one that stopped. */
    record Started(VmObserved vm) implements RunnerInput {}

    /** An observation of its VM arrives. */
    record Observed(VmObserved vm) implements RunnerInput {}

    /** A reply arrives. */
    record Replied(Message.Request request, Object content) implements RunnerInput {}

    /** A request times out. */
    record TimedOut(Message.Request request) implements RunnerInput {}

    /** The connection from an agent of the reference to the gateway breaks. */
    record HungUp() implements RunnerInput {}

    /** A scrape arrives. */
    record Scraped(boolean high) implements RunnerInput {}

    /** Its timer expires. */
    record Woken() implements RunnerInput {}

    /** It ends without sending anything. */
    record Crashed() implements RunnerInput {}
}

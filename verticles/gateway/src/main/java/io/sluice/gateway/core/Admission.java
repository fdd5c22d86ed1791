package io.sluice.gateway.core;

import io.sluice.messages.ledger.permit.ReportedUse;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Optional;

/** The result of reading a body and looking up its pod; no other component was called for it. */
public sealed interface Admission {
    /** How many bytes of a body are read at most. */
    int BODY_BYTES_MAX = AgentRequestReader.VALUE_BYTES_MAX;

    /** The value of the metrics' node tag for a pod that has no node or is unknown. */
    String NO_NODE = "<none>";

    /** The request can be sent to the ledger. */
    record Admitted(AdmittedRequest request) implements Admission {}

    /**
     * The request is refused with this reply.
     *
     * @param node the pod's, or {@link #NO_NODE}; empty if the body was no request at all
     */
    record Turned(HttpAnswer answer, Optional<String> node) implements Admission {}

    /** The pod is on another node than the one for whose pods the client may request permits. */
    record Elsewhere(String callersNode, AgentPod pod) implements Admission {}

    /** Reads a body and finds its pod. No input makes it throw. */
    static Admission of(byte[] body, PodIndex pods, Caller caller) {
        return switch (AgentRequestReader.read(body)) {
            case BodyResult.Rejected(var answer, boolean isRequest) ->
                new Turned(answer, isRequest ? Optional.of(NO_NODE) : Optional.empty());
            case BodyResult.Understood(var request) ->
                switch (pods.find(request.namespace(), request.pod())) {
                    case PodIndex.Place.Found(var pod)
                    when !caller.mayRequest(pod) ->
                        new Elsewhere(caller.onlyNode().orElseThrow(), pod);
                    case PodIndex.Place.Found(var pod) -> weighed(request, pod);
                    case PodIndex.Place.Unknown _ -> turned(404, "pod not found");
                    case PodIndex.Place.NoNode _ -> turned(404, "pod's node is unknown");
                    case PodIndex.Place.NoVm _ -> turned(400, "pod is not associated with a VM");
                    case PodIndex.Place.NotListed _ -> later("no full list of the cluster's pods has arrived yet");
                    case PodIndex.Place.VmNotObserved _ -> later("the pod's VM was not observed yet");
                };
        };
    }

    private static Admission weighed(AgentRequest request, AgentPod pod) {
        Resources target;
        Resources unit;
        Optional<Resources> lastPermit;
        Optional<ReportedUse> use;
        try {
            unit = request.computeUnit().resources(pod.slotBytes());
            target = request.target().resources(pod.slotBytes());
            lastPermit = request.lastPermit().map(amount -> amount.resources(pod.slotBytes()));
            use = request.use().map(reported -> reported(reported, pod));
        } catch (ArithmeticException overflow) {
            return turned(pod, "a number of memory slots is too large");
        }
        if (target.memoryBytes() < pod.slotBytes()) {
            return turned(
                    pod,
                    "resources.mem counts bytes: " + target.memoryBytes() + " is less than one memory slot of the VM, "
                            + pod.slotBytes());
        }
        return new Admitted(new AdmittedRequest(
                pod,
                unit,
                target,
                lastPermit,
                request.load1(),
                request.speaker(),
                request.target().inSlots(),
                use));
    }

    /** A use above the reported exposure also counts as exposure. */
    private static ReportedUse reported(AgentRequest.Use use, AgentPod pod) {
        var inUse = use.inUse().resources(pod.slotBytes());
        return new ReportedUse(inUse, use.exposure().resources(pod.slotBytes()).max(inUse));
    }

    private static Admission turned(int status, String sentence) {
        return new Turned(HttpAnswer.refusal(status, sentence), Optional.of(NO_NODE));
    }

    private static Admission turned(AgentPod pod, String sentence) {
        return new Turned(HttpAnswer.refusal(400, sentence), Optional.of(pod.node()));
    }

    private static Admission later(String sentence) {
        return new Turned(HttpAnswer.later(503, sentence, Duration.ofSeconds(1)), Optional.of(NO_NODE));
    }
}

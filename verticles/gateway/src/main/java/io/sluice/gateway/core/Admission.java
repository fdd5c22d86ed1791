package io.sluice.gateway.core;

import io.sluice.messages.ledger.ReportedUse;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Optional;

/** What a body came to once its pod was looked up; nothing has been asked of anybody yet. */
public sealed interface Admission {
    /** No more than so many bytes of a body are looked at. */
    int BODY_BYTES_MAX = AgentRequestReader.VALUE_BYTES_MAX;

    /** What metrics call the node of a pod that has none or is unknown. */
    String NO_NODE = "<none>";

    /** It can be put to the ledger. */
    record Admitted(AdmittedRequest question) implements Admission {}

    /**
     * It cannot, and this is what the asker is told.
     *
     * @param node the pod's, or {@link #NO_NODE}; empty where the body was no request at all
     */
    record Turned(HttpAnswer answer, Optional<String> node) implements Admission {}

    /** The pod is on another node than the one that the caller may ask for. */
    record Elsewhere(String callersNode, AgentPod member) implements Admission {}

    /** Reads a body and finds who asks. No bytes make it throw. */
    static Admission of(byte[] body, PodIndex pods, Caller caller) {
        return switch (AgentRequestReader.read(body)) {
            case BodyResult.Rejected(var answer, boolean isRequest) ->
                new Turned(answer, isRequest ? Optional.of(NO_NODE) : Optional.empty());
            case BodyResult.Understood(var request) ->
                switch (pods.find(request.namespace(), request.pod())) {
                    case PodIndex.Place.Found(var member)
                    when !caller.mayAskFor(member) ->
                        new Elsewhere(caller.onlyNode().orElseThrow(), member);
                    case PodIndex.Place.Found(var member) -> weighed(request, member);
                    case PodIndex.Place.Unknown _ -> turned(404, "pod not found");
                    case PodIndex.Place.NoNode _ -> turned(404, "pod's node is unknown");
                    case PodIndex.Place.NoVm _ -> turned(400, "pod is not associated with a VM");
                    case PodIndex.Place.NotListed _ -> later("the cluster's pods are not listed yet");
                    case PodIndex.Place.VmNotObserved _ -> later("the pod's VM is not known yet");
                };
        };
    }

    private static Admission weighed(AgentRequest request, AgentPod member) {
        Resources target;
        Resources unit;
        Optional<Resources> lastPermit;
        Optional<ReportedUse> use;
        try {
            unit = request.computeUnit().resources(member.slotBytes());
            target = request.target().resources(member.slotBytes());
            lastPermit = request.lastPermit().map(amount -> amount.resources(member.slotBytes()));
            use = request.use().map(reported -> reported(reported, member));
        } catch (ArithmeticException overflow) {
            return turned(member, "a number of memory slots is beyond what can be counted");
        }
        if (target.memoryBytes() < member.slotBytes()) {
            return turned(
                    member,
                    "resources.mem counts bytes: " + target.memoryBytes() + " is less than one memory slot of the VM, "
                            + member.slotBytes());
        }
        return new Admitted(new AdmittedRequest(
                member,
                unit,
                target,
                lastPermit,
                request.load1(),
                request.speaker(),
                request.target().inSlots(),
                use));
    }

    /** An agent that reports less exposure than use is taken to be exposed to its use. */
    private static ReportedUse reported(AgentRequest.Use use, AgentPod member) {
        var inUse = use.inUse().resources(member.slotBytes());
        return new ReportedUse(
                inUse, use.exposure().resources(member.slotBytes()).max(inUse));
    }

    private static Admission turned(int status, String sentence) {
        return new Turned(HttpAnswer.refusal(status, sentence), Optional.of(NO_NODE));
    }

    private static Admission turned(AgentPod member, String sentence) {
        return new Turned(HttpAnswer.refusal(400, sentence), Optional.of(member.node()));
    }

    private static Admission later(String sentence) {
        return new Turned(HttpAnswer.later(503, sentence, Duration.ofSeconds(1)), Optional.of(NO_NODE));
    }
}

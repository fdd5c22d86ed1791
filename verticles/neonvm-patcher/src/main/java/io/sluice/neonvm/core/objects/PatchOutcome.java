package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;

/** What an API server's answer to a patch means for the VM. */
public sealed interface PatchOutcome {
    /** HTTP status of a patch with a failed test, or of one that the object's rules forbid. */
    int UNPROCESSABLE = 422;

    /** HTTP status of a write that conflicted with another one. */
    int CONFLICT = 409;

    /** The result of the patch is known. */
    record Final(PatchReply reply) implements PatchOutcome {}

    /** The patch was certainly not applied, and may be repeated at once. */
    record TryAgain() implements PatchOutcome {}

    /** The patch was certainly not applied; the object shows whether the fence was the reason. */
    record ReadFirst() implements PatchOutcome {}

    /**
     * Evaluates an answer.
     *
     * @param status HTTP status
     * @param body of the answer: the object after a success, otherwise a Status
     */
    static PatchOutcome of(int status, JsonNode body) {
        if (status >= 200 && status < 300) {
            return new Final(new PatchReply.Patched(VmReader.version(body)));
        }
        if (status == CONFLICT) {
            return new TryAgain();
        }
        if (status == UNPROCESSABLE) {
            return new ReadFirst();
        }
        var reason = "the API server answered " + status + words(body);
        return new Final(
                status >= 400 && status < 500
                        ? new PatchReply.Refused(status, reason)
                        : new PatchReply.InDoubt(reason));
    }

    /**
     * The reply to a patch with a failed test.
     *
     * @param read the object as it was read after the failure
     * @param why the message of the failure
     */
    static PatchReply afterFailedTest(PatchVm patch, JsonNode read, String why) {
        if (!VmReader.id(read).equals(patch.vm())) {
            return new PatchReply.Refused(404, "the VM of that name has another uid now");
        }
        var fence = VmReader.fence(read);
        var size = VmSizeReader.specUse(read);
        if (fence.equals(patch.nextFence()) && size.equals(patch.target())) {
            // This very patch was applied when it was sent before, and its answer was lost.
            return new PatchReply.Patched(VmReader.version(read));
        }
        if (!fence.equals(patch.fence())) {
            return new PatchReply.Conflict(size, fence);
        }
        var runsIn = VmReader.podName(read);
        return patch.podName().isEmpty() || patch.podName().equals(runsIn)
                ? new PatchReply.Refused(UNPROCESSABLE, "the API server refused the patch" + why)
                : new PatchReply.Refused(UNPROCESSABLE, elsewhere(patch.podName(), runsIn));
    }

    /** The sentence for a VM that does not run in the expected pod. */
    static String elsewhere(String podName, String runsIn) {
        return runsIn.isEmpty()
                ? "the VM runs in no pod now, and not in " + podName
                : "the VM runs in another pod now: " + runsIn + " instead of " + podName;
    }

    /** The message of a Status object, as the end of a sentence. */
    static String words(JsonNode body) {
        var message = body.path("message").asText("");
        return message.isEmpty() ? "" : ": " + message;
    }
}

package io.sluice.agent.core.status;

import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/**
 * The last replies of ledger, driver and guest to a runner. While the same request is repeated, the last reply still
 * shows what the VM waits for: a denial that is repeated every two seconds is one long wait.
 */
public final class LastReplies {
    private static final int REASON_CHARACTERS_MAX = 200;

    /** The ledger's last reply. */
    sealed interface Ledger {
        record Nothing() implements Ledger {}

        /** {@code lapsesAt}: empty where permits do not lapse. */
        record Granted(Resources permit, Optional<Instant> lapsesAt) implements Ledger {}

        record Short(PermitReply.Ruled ruled) implements Ledger {}

        record Failed(String reason) implements Ledger {}

        record NotReady(NotReadyCause cause) implements Ledger {}
    }

    /** The last reply of driver or guest. */
    sealed interface Doer {
        record Nothing() implements Doer {}

        record DownscaleDenied(String status) implements Doer {}

        record Failed(String reason) implements Doer {}
    }

    /** A size that the driver acknowledged and no status shows. */
    public record Unshown(Resources sent, long revision, Instant since) {}

    private Ledger ledger = new Ledger.Nothing();
    private Doer driver = new Doer.Nothing();
    private Doer guest = new Doer.Nothing();
    private Optional<Unshown> unshown = Optional.empty();
    private long newestShown;

    Ledger ledger() {
        return ledger;
    }

    Doer driver() {
        return driver;
    }

    Doer guest() {
        return guest;
    }

    public Optional<Unshown> unshown() {
        return unshown;
    }

    public void ruled(PermitReply.Ruled ruled, Resources requested, Optional<Instant> lapsesAt) {
        ledger = requested.exceeds(ruled.permit())
                ? new Ledger.Short(ruled)
                : new Ledger.Granted(ruled.permit(), lapsesAt);
    }

    public void notReady(NotReadyCause cause) {
        ledger = new Ledger.NotReady(cause);
    }

    public void ledgerFailed(String reason) {
        ledger = new Ledger.Failed(cut(reason));
    }

    /**
     * The driver has acknowledged the patch. If the status did not show the last one yet, that wait continues. If the
     * status shows this one already, as observations may arrive before replies, no wait begins.
     */
    public void patched(Resources reported, long revision, Instant now) {
        driver = new Doer.Nothing();
        unshown = revision <= newestShown
                ? Optional.empty()
                : Optional.of(new Unshown(
                        reported, revision, unshown.map(Unshown::since).orElse(now)));
    }

    public void patchFailed(String reason) {
        driver = new Doer.Failed(cut(reason));
    }

    /** The status shows this revision. If it is an earlier one than the last patch has, the wait begins anew. */
    public void shown(long revision, Instant now) {
        if (revision > newestShown) {
            newestShown = revision;
            unshown = unshown.filter(waiting -> waiting.revision() > revision)
                    .map(waiting -> new Unshown(waiting.sent(), waiting.revision(), now));
        }
    }

    public void guestAgreed() {
        guest = new Doer.Nothing();
    }

    public void guestDenied(String status) {
        guest = new Doer.DownscaleDenied(cut(status));
    }

    public void guestFailed(String reason) {
        guest = new Doer.Failed(cut(reason));
    }

    /** The VM does not have to shrink any more, or another guest gets the requests. */
    public void forgetGuest() {
        guest = new Doer.Nothing();
    }

    private static String cut(String reason) {
        return reason.length() <= REASON_CHARACTERS_MAX ? reason : reason.substring(0, REASON_CHARACTERS_MAX) + "...";
    }
}

package io.sluice.vectors.monitor;

import io.sluice.messages.monitor.ResizeReply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One connection of a recording while it is played. */
final class PlayedConnection {
    /** An id far from all ids in use. */
    private static final int STRAY_ID = 1_000_000;

    private final int number;
    private final Dispatcher.Expected wanted;
    private final Line line;
    private final boolean serves;
    private final boolean agrees;
    private final List<Awaited> requests = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private long checkAnswersToCome;
    private boolean versionReported;
    private boolean detached;
    private Optional<String> end = Optional.empty();

    /** A resize: the message of the recorded agent, the id of Sluice's message, and the outcome. */
    private static final class Awaited {
        private final Message recorded;
        private final CompletableFuture<ResizeReply> outcome;
        private Optional<String> id = Optional.empty();
        private boolean answered;

        Awaited(Message recorded, CompletableFuture<ResizeReply> outcome) {
            this.recorded = recorded;
            this.outcome = outcome;
        }
    }

    PlayedConnection(RecordedSession session, int number, Dispatcher.Expected wanted) throws IOException {
        this.number = number;
        this.wanted = wanted;
        this.serves = session.serves(number);
        this.agrees = session.versionAgreed(number);
        this.checkAnswersToCome = session.of(number).stream()
                .filter(step -> step.fromMonitor() && Message.of(step.text()).isHealthCheck())
                .count();
        this.line = new Line();
        wanted.attach(line.port());
        WaitLimit.await(this + " to be dialled", () -> line.head().isPresent());
    }

    boolean isDetached() {
        return detached;
    }

    void play(Step step) throws IOException {
        if (detached && step.fromAgent()) {
            return;
        }
        boolean lost = end.filter(how -> !how.equals(Course.BY_US)).isPresent();
        if (step.fromMonitor() && (!lost || step.isEnd())) {
            playMonitor(step);
        } else if (lost) {
            return;
        } else if (step.givesUp()) {
            giveUp();
        } else if (!step.isHttp() && !step.type().equals("tcp-open")) {
            playAgent(step);
        }
    }

    /** Replies to health checks that the recorded agent did not send, as this monitor replies to all. */
    void idle() throws IOException {
        boolean surplus = serves && versionReported && checkAnswersToCome == 0 && end.isEmpty() && !detached;
        if (surplus && wanted.everConnected() && line.check().isPresent()) {
            answerCheck();
        }
    }

    private void playAgent(Step step) throws IOException {
        if (!versionReported) {
            WaitLimit.await(this + " to send its range", line::ranged);
            return;
        }
        var message = Message.of(step.text());
        if (serves && step.isText() && message.isResize()) {
            request(message);
        } else {
            WaitLimit.awaitOne(this + " to check health", line::check);
        }
    }

    private void request(Message recorded) throws IOException {
        prove();
        var request = new Awaited(recorded, wanted.request(recorded.isUpscale(), recorded.amounts()));
        boolean alone = requests.stream().allMatch(earlier -> earlier.outcome.isDone());
        requests.add(request);
        if (!alone) {
            return;
        }
        var ours = WaitLimit.awaitOne(this + " to request a resize", line::takeResize);
        request.id = Optional.of(ours.id());
        if (recorded.isSize() && !ours.requestsTheSame(recorded)) {
            wrong.add(ours.text() + " instead of " + recorded.text());
        }
    }

    /**
     * Makes the session count: it does so from the first reply on, and a recorded agent may not have waited for one.
     */
    private void prove() throws IOException {
        if (!wanted.everConnected()) {
            WaitLimit.awaitOne(this + " to check health", line::check);
            answerCheck();
            WaitLimit.await(this + " to count as connected", wanted::everConnected);
        }
    }

    private void answerCheck() throws IOException {
        var check = line.check().orElseThrow();
        line.checkAnswered();
        line.connection().text("{\"type\":\"HealthCheck\",\"id\":" + check.id() + "}");
    }

    private void giveUp() throws IOException {
        if (versionReported && serves && end.isEmpty()) {
            prove();
        }
        detached = true;
        wanted.detach();
        if (end.isEmpty()) {
            var close = WaitLimit.awaitOne(this + " to close", line::closed);
            if (close.code() != 1000) {
                wrong.add("a close with " + close.code());
            }
            end = Optional.of(Course.BY_US);
        }
    }

    private void playMonitor(Step step) throws IOException {
        var to = line.connection();
        switch (step.type()) {
            case "http" -> answerDial(step);
            case "text" -> report(step.text());
            case "close" -> to.frame(RawConnection.CLOSE, closePayload(step));
            case "pong" -> to.frame(RawConnection.PONG, step.text().getBytes(StandardCharsets.UTF_8));
            case "ping" -> to.frame(RawConnection.PING, step.text().getBytes(StandardCharsets.UTF_8));
            case "eof" -> endTcp(false);
            case "reset" -> endTcp(true);
            default -> throw new IOException("cannot play " + step.json());
        }
    }

    private void answerDial(Step step) throws IOException {
        if (step.upgrades()) {
            line.connection().upgrade(line.head().orElseThrow());
        } else {
            line.connection().refuse(step);
            recordEnd();
        }
    }

    private static byte[] closePayload(Step step) {
        var reason = step.text().getBytes(StandardCharsets.UTF_8);
        return step.code().isEmpty()
                ? new byte[0]
                : ByteBuffer.allocate(2 + reason.length)
                        .putShort((short) step.code().getAsInt())
                        .put(reason)
                        .array();
    }

    private void report(String text) throws IOException {
        var message = Message.of(text);
        if (!versionReported) {
            WaitLimit.await(this + " to send its range", line::ranged);
            versionReported = true;
            line.connection().text(text);
            if (!agrees) {
                recordEnd();
            }
        } else if (message.isHealthCheck()) {
            WaitLimit.awaitOne(this + " to check health", line::check);
            checkAnswersToCome--;
            answerCheck();
        } else if (message.isAnswerToResize()) {
            answerResize(message);
        } else {
            line.connection().text(text);
            WaitLimit.await(
                    this + " to pass on an upscale request",
                    () -> detached || !message.isUpscaleRequest() || wanted.everRequestedUpscale());
        }
    }

    private void answerResize(Message answer) throws IOException {
        var requested = requests.stream()
                .filter(request -> !request.answered && request.recorded.id().equals(answer.id()))
                .findFirst();
        var id = requested.flatMap(request -> request.id).orElse(String.valueOf(STRAY_ID + requests.size()));
        line.connection().text(answer.text().replaceFirst("\"id\":\\d+}$", "\"id\":" + id + "}"));
        if (requested.isPresent() && !detached) {
            requested.get().answered = true;
            WaitLimit.await(this + " to report the outcome of a resize", requested.get().outcome::isDone);
        }
    }

    private void endTcp(boolean reset) throws IOException {
        if (reset) {
            line.connection().reset();
        } else {
            line.connection().end();
        }
        if (!detached) {
            recordEnd();
        }
    }

    /** Ends a connection that Sluice did not end: its end must be published, and a new attempt must follow. */
    private void recordEnd() throws IOException {
        if (end.isPresent()) {
            return;
        }
        var reason = WaitLimit.awaitOne(this + " to be reported as lost", wanted::lostBecause);
        WaitLimit.await(this + " to be dialled again after: " + reason, () -> line.redials() > 0);
        end = Optional.of(named(reason) + ", dialled again");
        detached = true;
        wanted.detach();
    }

    private static String named(String reason) {
        if (reason.startsWith("the monitor ended the connection")) {
            return "ended by the monitor";
        }
        if (reason.startsWith("refused: ") || reason.startsWith("version must be")) {
            return "version refused";
        }
        var status = reason.replaceFirst(".*\\b([45]\\d\\d)\\b.*", "$1");
        return reason.startsWith("cannot connect: ") && status.length() == 3 ? "refused with " + status : reason;
    }

    /** Closes what a recording leaves open; nothing may be left afterwards. */
    void finish() throws IOException {
        if (!detached) {
            giveUp();
            line.connection().end();
        }
        WaitLimit.await(this + " to be ended by us, as TCP", line::over);
        requests.forEach(
                request -> WaitLimit.await(this + " to report the outcome of a resize", request.outcome::isDone));
    }

    Course course() {
        return new Course(
                wanted.everConnected(),
                wanted.everRequestedUpscale(),
                requests.stream().map(PlayedConnection::outcome).toList(),
                end.orElse("not over"));
    }

    private static String outcome(Awaited request) {
        if (!request.outcome.isDone()) {
            return "none";
        }
        if (request.outcome.isCompletedExceptionally()) {
            return "no outcome: " + request.outcome.exceptionNow();
        }
        return switch (request.outcome.resultNow()) {
            case ResizeReply.Accepted _ -> Course.YES;
            case ResizeReply.Denied _ -> Course.NO;
            case ResizeReply.Failed(var why) when why.startsWith("another resize") -> Course.BUSY;
            case ResizeReply.Failed(var why) when why.startsWith("the session ended") -> Course.LOST;
            case ResizeReply.Failed _ -> Course.FAILED;
        };
    }

    /** What Sluice did that is wrong in any recording. */
    List<String> wrong() {
        var all = new ArrayList<>(wrong);
        all.addAll(line.complaints());
        return all;
    }

    /** Ends all that is left, at any point of the recording. */
    void drop() throws IOException {
        if (!detached) {
            wanted.detach();
        }
        line.close();
    }

    @Override
    public String toString() {
        return "connection " + number;
    }
}

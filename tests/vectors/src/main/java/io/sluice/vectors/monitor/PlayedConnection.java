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
    /** Far from any id that is in use. */
    private static final int STRAY_ID = 1_000_000;

    private final int number;
    private final Dispatcher.Wanted wanted;
    private final Line line;
    private final boolean serves;
    private final boolean agrees;
    private final List<Ask> asks = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private long checkAnswersToCome;
    private boolean versionSaid;
    private boolean detached;
    private Optional<String> end = Optional.empty();

    /** A resize: what the recorded agent said, under which id ours said it, and what came of it. */
    private static final class Ask {
        private final Message recorded;
        private final CompletableFuture<ResizeReply> outcome;
        private Optional<String> id = Optional.empty();
        private boolean answered;

        Ask(Message recorded, CompletableFuture<ResizeReply> outcome) {
            this.recorded = recorded;
            this.outcome = outcome;
        }
    }

    PlayedConnection(RecordedSession session, int number, Dispatcher.Wanted wanted) throws IOException {
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

    /** Answers checks that the recorded agent did not send, as this monitor answers all. */
    void idle() throws IOException {
        boolean surplus = serves && versionSaid && checkAnswersToCome == 0 && end.isEmpty() && !detached;
        if (surplus && wanted.everConnected() && line.check().isPresent()) {
            answerCheck();
        }
    }

    private void playAgent(Step step) throws IOException {
        if (!versionSaid) {
            WaitLimit.await(this + " to say its range", line::ranged);
            return;
        }
        var message = Message.of(step.text());
        if (serves && step.isText() && message.isResize()) {
            ask(message);
        } else {
            WaitLimit.awaitOne(this + " to check health", line::check);
        }
    }

    private void ask(Message recorded) throws IOException {
        prove();
        var ask = new Ask(recorded, wanted.ask(recorded.isUpscale(), recorded.amounts()));
        boolean alone = asks.stream().allMatch(earlier -> earlier.outcome.isDone());
        asks.add(ask);
        if (!alone) {
            return;
        }
        var ours = WaitLimit.awaitOne(this + " to ask for a resize", line::takeResize);
        ask.id = Optional.of(ours.id());
        if (recorded.isSize() && !ours.asksTheSame(recorded)) {
            wrong.add(ours.text() + " instead of " + recorded.text());
        }
    }

    /** A session counts from the first answer on; a recorded agent may not have waited for one. */
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
        if (versionSaid && serves && end.isEmpty()) {
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
            case "text" -> say(step.text());
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
            noteEnd();
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

    private void say(String text) throws IOException {
        var message = Message.of(text);
        if (!versionSaid) {
            WaitLimit.await(this + " to say its range", line::ranged);
            versionSaid = true;
            line.connection().text(text);
            if (!agrees) {
                noteEnd();
            }
        } else if (message.isHealthCheck()) {
            WaitLimit.awaitOne(this + " to check health", line::check);
            checkAnswersToCome--;
            answerCheck();
        } else if (message.isAnswerToResize()) {
            answerResize(message);
        } else {
            line.connection().text(text);
            WaitLimit.await(this + " to pass on a cry", () -> detached || !message.isCry() || wanted.everCried());
        }
    }

    private void answerResize(Message answer) throws IOException {
        var asked = asks.stream()
                .filter(ask -> !ask.answered && ask.recorded.id().equals(answer.id()))
                .findFirst();
        var id = asked.flatMap(ask -> ask.id).orElse(String.valueOf(STRAY_ID + asks.size()));
        line.connection().text(answer.text().replaceFirst("\"id\":\\d+}$", "\"id\":" + id + "}"));
        if (asked.isPresent() && !detached) {
            asked.get().answered = true;
            WaitLimit.await(this + " to tell what came of a resize", asked.get().outcome::isDone);
        }
    }

    private void endTcp(boolean reset) throws IOException {
        if (reset) {
            line.connection().reset();
        } else {
            line.connection().end();
        }
        if (!detached) {
            noteEnd();
        }
    }

    /** It is over, and not by us: the news must come, and a new attempt. */
    private void noteEnd() throws IOException {
        if (end.isPresent()) {
            return;
        }
        var reason = WaitLimit.awaitOne(this + " to be told as lost", wanted::lostBecause);
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

    /** What a recording leaves open, ours closes; then nothing of it may be left. */
    void finish() throws IOException {
        if (!detached) {
            giveUp();
            line.connection().end();
        }
        WaitLimit.await(this + " to be ended by us, as TCP", line::over);
        asks.forEach(ask -> WaitLimit.await(this + " to tell what came of a resize", ask.outcome::isDone));
    }

    Course course() {
        return new Course(
                wanted.everConnected(),
                wanted.everCried(),
                asks.stream().map(PlayedConnection::outcome).toList(),
                end.orElse("not over"));
    }

    private static String outcome(Ask ask) {
        if (!ask.outcome.isDone()) {
            return "none";
        }
        if (ask.outcome.isCompletedExceptionally()) {
            return "no outcome: " + ask.outcome.exceptionNow();
        }
        return switch (ask.outcome.resultNow()) {
            case ResizeReply.Accepted _ -> Course.YES;
            case ResizeReply.Denied _ -> Course.NO;
            case ResizeReply.Failed(var why) when why.startsWith("another resize") -> Course.BUSY;
            case ResizeReply.Failed(var why) when why.startsWith("the session ended") -> Course.LOST;
            case ResizeReply.Failed _ -> Course.FAILED;
        };
    }

    /** What ours did that it must never do, whatever the recording says. */
    List<String> wrong() {
        var all = new ArrayList<>(wrong);
        all.addAll(line.complaints());
        return all;
    }

    /** Ends whatever is left, also in the middle. */
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

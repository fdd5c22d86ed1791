package io.sluice.pods.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class RequestTurnsTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<Promise<String>> sent = new ArrayList<>();

    @Test
    void othersWaitInOrder(Vertx vertx) {
        var turns = new RequestTurns(vertx, 2, 10);
        var replies = List.of(send(turns, LONG), send(turns, LONG), send(turns, LONG), send(turns, LONG));
        assertThat(sent).hasSize(2);

        sent.get(1).fail("lost");
        assertThat(sent).as("a failure ends a turn as well").hasSize(3);
        sent.get(2).complete("third");
        sent.get(0).complete("first");
        sent.get(3).complete("fourth");

        assertThat(replies.get(0).result()).isEqualTo("first");
        assertThat(replies.get(1).failed()).isTrue();
        assertThat(replies.get(2).result()).isEqualTo("third");
        assertThat(replies.get(3).result()).isEqualTo("fourth");
    }

    @Test
    void aRequestWithoutTimeLeftIsCertainlyNotSent(Vertx vertx) {
        var turns = new RequestTurns(vertx, 1, 10);
        send(turns, LONG);
        var late = send(turns, Duration.ofMillis(1));
        var next = send(turns, LONG);

        assertThat(late.transform(ended -> Future.succeededFuture(ended.cause()))
                        .await())
                .isInstanceOf(PodApi.NotSentException.class);
        sent.getFirst().complete("");
        assertThat(sent).hasSize(2);
        sent.get(1).complete("next");
        assertThat(next.result()).isEqualTo("next");
    }

    @Test
    void whatCanWaitLeavesTurnsToOthersAndGoesLast(Vertx vertx) {
        var turns = new RequestTurns(vertx, 2, 10);
        var first = sendLast(turns);
        var second = sendLast(turns);
        assertThat(sent).as("half of the turns").hasSize(1);
        send(turns, LONG);
        var third = send(turns, LONG);
        assertThat(sent).hasSize(2);

        sent.get(0).complete("first");
        sent.get(2).complete("third");
        assertThat(first.result()).isEqualTo("first");
        assertThat(third.result()).isEqualTo("third");
        assertThat(sent).as("one of the others is under way").hasSize(3);
        sent.get(1).complete("");
        sent.get(3).complete("second");
        assertThat(second.result()).isEqualTo("second");
    }

    @Test
    void noMoreWaitThanThereIsRoomFor(Vertx vertx) {
        var turns = new RequestTurns(vertx, 1, 1);
        send(turns, LONG);
        send(turns, LONG);

        assertThat(send(turns, LONG).cause()).isInstanceOf(PodApi.NotSentException.class);
        assertThat(sent).hasSize(1);
    }

    @Test
    void aRequestThatCannotBeMadeTakesNoTurn(Vertx vertx) {
        int others = 20_000;
        var turns = new RequestTurns(vertx, 1, others);
        assertThat(unmade(turns).cause()).isInstanceOf(PodApi.NotSentException.class);

        send(turns, LONG);
        var unmade =
                IntStream.range(0, others - 1).mapToObj(one -> unmade(turns)).toList();
        var last = send(turns, LONG);
        sent.getFirst().complete("");
        assertThat(sent).hasSize(2);
        sent.get(1).complete("last");
        assertThat(last.result()).isEqualTo("last");
        assertThat(unmade).allSatisfy(one -> assertThat(one.cause()).isInstanceOf(PodApi.NotSentException.class));
    }

    private static Future<String> unmade(RequestTurns turns) {
        return turns.send(LONG, leftMs -> {
            throw new IllegalStateException("there is no token");
        });
    }

    private Future<String> send(RequestTurns turns, Duration within) {
        return turns.send(within, this::sent);
    }

    private Future<String> sendLast(RequestTurns turns) {
        return turns.sendLast(LONG, this::sent);
    }

    private Future<String> sent(long leftMs) {
        Promise<String> reply = Promise.promise();
        sent.add(reply);
        return reply.future();
    }
}

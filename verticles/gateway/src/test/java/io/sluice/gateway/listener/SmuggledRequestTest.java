package io.sluice.gateway.listener;

import static io.sluice.gateway.listener.OpenListener.PATIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose end a proxy may find elsewhere than this listener does, so that one request hides in another. */
@ExtendWith(VertxExtension.class)
class SmuggledRequestTest {
    private static final String HIDDEN = "GET /hidden HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    private final List<String> reached = Collections.synchronizedList(new ArrayList<>());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\nHost: x\nContent-Length: 5\nTransfer-Encoding: chunked\n\n0\n\n",
                "POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\nContent-Length: 0\n\n0\n\n",
                "POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n0\n\n",
                "POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked, chunked\n\n0\n\n",
                "POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked, identity\n\n0\n\n",
                "POST / HTTP/1.1\nHost: x\nTransfer-Encoding: xchunked\n\n0\n\n",
                "POST / HTTP/1.1\nHost: x\nTransfer-Encoding : chunked\n\n0\n\n",
                "POST / HTTP/1.0\nHost: x\nTransfer-Encoding: chunked\n\n0\n\n",
                "POST / HTTP/1.1\nHost: x\nContent-Length: 0\nContent-Length: 5\n\n",
                "POST / HTTP/1.1\nHost: x\nContent-Length: +0\n\n",
                "POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\n0x0\n\n",
                "POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\n-1\n\n",
                "\0GET / HTTP/1.1\nHost: x\n\n",
                "\0\0POST / HTTP/1.1\nHost: x\nContent-Length: 0\n\n",
                "G\0T / HTTP/1.1\nHost: x\n\n",
                "GET / HTTP/1.1\nHost: x\nX: a\0b\n\n",
                "GET / HTTP/1.1\nHost x\n\n"
            })
    void isRefusedAndNothingBehindItIsRead(String request, Vertx vertx) throws Exception {
        var spec = ListenerSpec.of(
                "gateway.test",
                router -> router.route().handler(inside -> {
                    reached.add(inside.request().path());
                    inside.request().bodyHandler(body -> Replies.text(inside, 200, "inside"));
                }));
        var open = new OpenListener(vertx).open(ListenerConfig.loopback(0), spec, PATIENT);
        var answer = open.raw(request.replace("\n", "\r\n") + HIDDEN);
        assertThat(answer).doesNotContain("HTTP/1.1 200");
        assertThat(reached).doesNotContain("/hidden");
        assertThat(open.get("after").statusCode()).isEqualTo(200);
    }
}

package io.sluice.sinks;

import io.sluice.billing.sink.S3Sink;
import io.sluice.billing.sink.S3SinkConfig;
import io.sluice.billing.sink.Sink;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests the S3 sink with s3rver; the test reads its contents by plain HTTP. */
@OnStandIns
class S3SinkTest extends ObjectStoreContract {
    private static final Pattern KEY = Pattern.compile("<Key>([^<]*)</Key>");
    private static final String USER = "S3RVER";

    @TempDir
    private Path data;

    private final HttpClient client = HttpClient.newHttpClient();
    private StandIn store;

    @BeforeEach
    void start() throws Exception {
        logIn(USER);
        store = StandIn.s3rver(data, HOLDER).start();
    }

    @AfterEach
    void stop() throws Exception {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        client.close();
        store.stop();
    }

    @Override
    Sink sink(String holder) {
        return new S3Sink(new S3SinkConfig(holder, "eu-test-1", store.url(), "", LONG, LONG, 200));
    }

    @Override
    Sink strangersSink() {
        logIn("STRANGER");
        return sink(HOLDER);
    }

    @Override
    List<String> names() throws Exception {
        return KEY.matcher(get("?list-type=2", BodyHandlers.ofString()))
                .results()
                .map(found -> found.group(1).replace("&amp;", "&"))
                .toList();
    }

    @Override
    byte[] read(String name) throws Exception {
        return get(
                "/" + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"), BodyHandlers.ofByteArray());
    }

    @Override
    StandIn store() {
        return store;
    }

    @Override
    String label() {
        return "S3 error";
    }

    private <T> T get(String rest, HttpResponse.BodyHandler<T> body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(store.url() + "/" + HOLDER + rest))
                .timeout(LONG)
                .build();
        var answer = client.send(request, body);
        if (answer.statusCode() != 200) {
            throw new AssertionError(request.uri() + " replied " + answer.statusCode());
        }
        return answer.body();
    }

    /** Sets the credentials that are first in AWS' default chain. */
    private static void logIn(String user) {
        System.setProperty("aws.accessKeyId", user);
        System.setProperty("aws.secretAccessKey", user);
    }
}

package io.sluice.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.wire.WireCodec;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class CatalogueTest {
    private static final List<Class<?>> OWNERS = List.of(
            ClusterAddresses.class,
            LedgerAddresses.class,
            VmAddresses.class,
            WorkerAddresses.class,
            PodAddresses.class,
            MonitorAddresses.class,
            AgentAddresses.class,
            PressureAddresses.class,
            BillingAddresses.class,
            PlacementAddresses.class,
            MemberAddresses.class);

    /** The place of the owner's name in a message's package: {@code io.sluice.messages.<owner>}. */
    private static final int OWNER = 3;

    private static final Path README = Path.of("README.md");
    private static final Pattern ADDRESS = Pattern.compile("[a-z]+\\.[a-z]+(-[a-z]+)*");

    @Test
    void listsEveryAddressThereIs() {
        var listed = Stream.concat(Catalogue.REQUESTS.stream(), Catalogue.EVENTS.stream());

        assertThat(listed)
                .containsExactlyInAnyOrderElementsOf(OWNERS.stream()
                        .flatMap(owner -> Arrays.stream(owner.getDeclaredFields()))
                        .filter(field -> Modifier.isPublic(field.getModifiers()))
                        .map(CatalogueTest::value)
                        .toList());
    }

    private static Record value(Field field) {
        try {
            return (Record) field.get(null);
        } catch (IllegalAccessException hidden) {
            throw new AssertionError(hidden);
        }
    }

    @Test
    void addressesAreUniqueAndBeginWithTheirOwner() {
        var names = addresses();

        assertThat(names)
                .doesNotHaveDuplicates()
                .allMatch(name -> ADDRESS.matcher(name).matches());
        for (var owner : OWNERS) {
            var prefix = owner.getSimpleName().replace("Addresses", "").toLowerCase(Locale.ROOT) + ".";
            assertThat(names).anyMatch(name -> name.startsWith(prefix));
        }
    }

    @Test
    void codecsAreNamedAfterOwnerAndMessage() {
        var names = new HashMap<String, Class<?>>();
        for (var codec : Catalogue.codecs()) {
            var message = messageOf(codec);
            var owner = message.getPackageName().split("\\.")[OWNER];
            assertThat(codec.name()).isEqualTo(owner + "." + kebab(message.getSimpleName()));
            assertThat(names.put(codec.name(), codec.getClass())).isNull();
        }
    }

    private static String kebab(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    @Test
    void theWholeVocabularyIsRegistered(Vertx vertx) {
        new Bus(vertx);

        for (var codec : Catalogue.codecs()) {
            assertThatThrownBy(() -> vertx.eventBus().registerCodec(new DecodedCodec<>(codec)))
                    .as(codec.name())
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void theReadmeListsEveryRequest() throws IOException {
        var rows = rows("address", "request", "reply", "served by", "requested by", "timeout", "on loss");

        assertThat(rows.keySet())
                .containsExactlyElementsOf(
                        Catalogue.REQUESTS.stream().map(RequestAddress::name).toList());
        for (var address : Catalogue.REQUESTS) {
            var row = rows.get(address.name());
            assertThat(row.get("request")).isEqualTo(simpleName(address.request()));
            assertThat(row.get("reply")).isEqualTo(simpleName(address.answer()));
            assertThat(row.get("timeout")).isEqualTo(address.timeout().toSeconds() + " s");
        }
    }

    @Test
    void theReadmeListsEveryEvent() throws IOException {
        var rows = rows("address", "event", "published by", "consumed by", "on loss");

        assertThat(rows.keySet())
                .containsExactlyElementsOf(
                        Catalogue.EVENTS.stream().map(EventAddress::name).toList());
        for (var address : Catalogue.EVENTS) {
            var row = rows.get(address.name());
            assertThat(row.get("event")).isEqualTo(simpleName(address.event()));
        }
    }

    /** The rows below the header that has exactly these columns, by address. */
    private static Map<String, Map<String, String>> rows(String... columns) throws IOException {
        var header = "| " + String.join(" | ", columns) + " |";
        var rows = new LinkedHashMap<String, Map<String, String>>();
        Files.readAllLines(README).stream()
                .dropWhile(line -> !line.equals(header))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .forEach(line -> rows.put(cells(line).getFirst(), row(columns, cells(line))));
        assertThat(rows).as("rows below %s", header).isNotEmpty();
        return rows;
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split("\\|"))
                .skip(1)
                .map(cell -> cell.strip().replace("`", ""))
                .toList();
    }

    private static Map<String, String> row(String[] columns, List<String> cells) {
        assertThat(cells).hasSameSizeAs(columns).noneMatch(String::isBlank);
        var row = new HashMap<String, String>();
        for (int i = 0; i < columns.length; i++) {
            row.put(columns[i], cells.get(i));
        }
        return row;
    }

    private static List<String> addresses() {
        return Stream.concat(
                        Catalogue.REQUESTS.stream().map(RequestAddress::name),
                        Catalogue.EVENTS.stream().map(EventAddress::name))
                .toList();
    }

    private static String simpleName(WireCodec<?> codec) {
        return messageOf(codec).getSimpleName();
    }

    private static Class<?> messageOf(WireCodec<?> codec) {
        var parent = (ParameterizedType) codec.getClass().getGenericSuperclass();
        return (Class<?>) parent.getActualTypeArguments()[0];
    }
}

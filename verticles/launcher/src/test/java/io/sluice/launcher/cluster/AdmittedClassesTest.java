package io.sluice.launcher.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.ClusterState;
import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.impl.MemberImpl;
import com.hazelcast.config.SerializationConfig;
import com.hazelcast.console.SimulateLoadTask;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.version.MemberVersion;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.InetAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Deserialization of another member's bytes is bounded by a list of classes. */
class AdmittedClassesTest {
    private static final Member MEMBER = new MemberImpl(
            new Address(InetAddress.getLoopbackAddress(), 5701), MemberVersion.of("5.6.0"), false, UUID.randomUUID());

    private final InternalSerializationService service = new DefaultSerializationServiceBuilder()
            .setConfig(new SerializationConfig().setJavaSerializationFilterConfig(AdmittedClasses.filter()))
            .build();

    /** All but the one that cannot be written without its member, see below. */
    static Stream<Class<? extends Throwable>> failures() {
        return AdmittedClasses.FAILURES.stream().filter(kind -> kind != MemberLeftException.class);
    }

    /** With a cause and a suppressed exception, so that all of its parts are checked. */
    @ParameterizedTest
    @MethodSource("failures")
    void aFailureArrivesAsItWasThrown(Class<? extends Throwable> kind) throws ReflectiveOperationException {
        var thrown = instance(kind);
        thrown.addSuppressed(new IllegalStateException("suppressed", new NullPointerException()));

        var arrived = (Throwable) passed(thrown);

        assertThat(arrived).hasSameClassAs(thrown).hasMessage(thrown.getMessage());
        assertThat(arrived.getSuppressed()).hasSameSizeAs(thrown.getSuppressed());
    }

    @Test
    void theStateOfTheClusterArrives() {
        assertThat(Stream.of(ClusterState.values()).map(this::passed))
                .containsExactly((Object[]) ClusterState.values());
    }

    @Test
    void theFailureThatHoldsAMemberArrives() {
        assertThat(((MemberLeftException) passed(new MemberLeftException(MEMBER))).getMember())
                .isEqualTo(MEMBER);
    }

    static Stream<Serializable> strangers() {
        return Stream.of(
                URI.create("http://stranger/"),
                new Gadget(),
                // A class of Hazelcast's: its console's task, which gets the instance and loads classes.
                new SimulateLoadTask(1, 1, "map"),
                // A class of a package below java.lang: a method handle, which names a method to be called.
                (Comparator<String> & Serializable) String::compareTo,
                // Inside of an admitted class.
                new IllegalStateException(new Wrapping()));
    }

    @ParameterizedTest
    @MethodSource("strangers")
    void nothingElseArrives(Serializable stranger) {
        Gadget.read = false;
        var written = service.toData(stranger);

        assertThatThrownBy(() -> service.toObject(written))
                .isInstanceOfAny(HazelcastSerializationException.class, SecurityException.class)
                .hasMessageContaining("is not allowed");
        assertThat(Gadget.read).isFalse();
    }

    @Test
    void aStrangerWithinACollectionDoesNotArrive() {
        var written = service.toData(new HashMap<>(Map.of("key", new Gadget())));

        assertThatThrownBy(() -> service.toObject(written)).hasMessageContaining("is not allowed");
    }

    private Object passed(Object sent) {
        return service.toObject(service.toData(sent));
    }

    /** Uses the longest of its public constructors whose parameters can be a text, a cause and a member. */
    private static Throwable instance(Class<? extends Throwable> kind) throws ReflectiveOperationException {
        for (var constructor : ordered(kind)) {
            var arguments = Arrays.stream(constructor.getParameterTypes())
                    .map(AdmittedClassesTest::argument)
                    .toArray();
            try {
                return (Throwable) constructor.newInstance(arguments);
            } catch (ReflectiveOperationException another) {
                // A constructor that refuses null.
            }
        }
        throw new NoSuchMethodException(kind.getName());
    }

    private static List<Constructor<?>> ordered(Class<?> kind) {
        return Stream.<Constructor<?>>of(kind.getConstructors())
                .sorted(Comparator.<Constructor<?>>comparingInt(Constructor::getParameterCount)
                        .reversed())
                .toList();
    }

    private static Object argument(Class<?> type) {
        return Stream.of("words", 1, new IOException("cause"), MEMBER)
                .filter(value -> type.isInstance(value) || (type == int.class && value instanceof Integer))
                .findFirst()
                .orElse(null);
    }

    /** Has an effect when it is deserialized, as classes in attacks do. */
    private static final class Gadget implements Serializable {
        private static final long serialVersionUID = 1;
        private static volatile boolean read;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            read = true;
        }
    }

    private static final class Wrapping extends UncheckedIOException {
        private static final long serialVersionUID = 1;
        private final Gadget gadget = new Gadget();

        private Wrapping() {
            super(new IOException("holds " + Gadget.class));
        }

        @Override
        public String toString() {
            return gadget.toString();
        }
    }
}

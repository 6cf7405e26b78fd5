// A hash table that two threads fill under a lock; it grows, and its order is that of libstdc++.
// expect: default=safe
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>

static std::mutex lock;
static std::unordered_map<int, int> squares;

static void add(int from, int to)
{
    std::lock_guard<std::mutex> guard(lock);
    for (int i = from; i < to; i++) squares[i] = i * i;
}

int main()
{
    std::thread thread(add, 0, 8);
    add(8, 16);
    thread.join();
    assert(squares.size() == 16 && squares.bucket_count() == 29);
    assert(squares.at(5) == 25 && squares.count(16) == 0);
    assert(squares.erase(5) == 1 && squares.find(5) == squares.end());

    std::unordered_set<std::string> words{"hash", "table"};
    assert(words.count("hash") == 1 && words.count("tab") == 0);
    assert(words.bucket_count() == 13);
    assert(std::hash<std::string>()("threadproof") % 1000003 == 815275);
}
